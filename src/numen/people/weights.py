"""How much each clue says for an opt-out, in 20ths of a logit (`python -m benchmarks.optout_fit --write`).

The clues are those of `optout.clues`: parts of words (`lexicon`) in a message (`W`, `N&W`), in one clause
(`W.`, `N..W` one before another), beside each other (`=NW` without strange words between, `-N_W` with them),
and forms.
"""

from __future__ import annotations

ENOUGH = 18
"""The sum above which a message is an opt-out."""

_LISTED = """
-0$:-3 -0T:-1 -0_:-1 -A$:2 -A_:-1 -A_$:1 -A__:-3 -Aa:-3 -AaT:-2 -Aa_:-1 -B$:8 -BY:2 -BYH:2 -C$:3 -C_:2
-C_G:1 -Ca:1 -CaR:1 -D$:-5 -DC:2 -DD:-3 -DD$:-1 -DDD:-1 -DD_:-1 -DEF:1 -DEN:-1 -DF:-3 -DFN:-2 -DG:2 -DG_:1
-DH:-2 -DI:1 -DID:-2 -DIU:3 -DK:1 -DK$:2 -DK_:-1 -DL:-3 -DL$:-3 -DN:-3 -DNI:-1 -DN_:-2 -DP:3 -DPF:3 -DS:2
-DS$:3 -DT:1 -DT$:1 -DU:-1 -DU_:-1 -DW:-2 -DW_:1 -DY:-1 -DYP:-1 -DY_:1 -D_:-5 -D_$:-3 -D_A:-1 -D_D:-1 -D_U:2
-D_Y:-1 -D__:-1 -D_a:-1 -E$:-3 -EF:2 -EFI:1 -EFN:1 -EF_:1 -EG:1 -EG_:1 -EH:-2 -EIX:1 -EM:-2 -EMK:-2 -EMR:1
-EM_:-1 -EN:-2 -ENG:-2 -ENM:1 -EN_:2 -EO:1 -ER:1 -ERM:1 -EW:-5 -EW$:-6 -EYG:1 -EYS:1 -EY_:2 -E_:9 -E_S:-1
-E_W:-1 -E_X:2 -E_Y:1 -E__:8 -E_a:2 -Ea:1 -F$:-1 -FF:-1 -FF_:-1 -FH:-1 -FH_:-1 -FI:4 -FIW:1 -FNE:1 -FNW:3
-FN_:-1 -FO:-2 -FO_:-1 -FR:1 -FS:5 -FS$:3 -FS_:2 -FW:-3 -FX:1 -FXI:1 -FX_:-1 -FY:3 -FYI:2 -FYN:-1 -FYP:1
-FYS:1 -FY_:2 -FYa:-2 -F_:-7 -F_$:-4 -F_F:3 -F_H:-1 -F_I:-2 -F_O:4 -F_S:-2 -F_Y:-2 -F__:1 -F_a:-1 -G$:8
-GF:-2 -GF_:-2 -GI:-1 -GI$:2 -GIM:1 -GIT:-1 -GI_:-2 -GM:4 -GM$:5 -GM_:-2 -GN_:-1 -GP:1 -GP$:1 -GT:-1 -G_:-2
-G_$:4 -G_D:2 -G_I:1 -G_P:1 -G_T:-2 -G_W:1 -G_Y:1 -G__:-11 -Ga:1 -GaI:1 -H$:-4 -HG:-3 -HI:-5 -HIM:-1 -HIW:-1
-HI_:-1 -HO:3 -HS:5 -HS$:1 -HW:-2 -HWI:-2 -HX:-1 -HY:-2 -HY_:1 -H_:-3 -H_$:-2 -H_I:1 -H_S:-2 -H_W:-2 -H__:4
-H_a:-1 -I$:4 -IA:1 -IA$:2 -IA_:-1 -IC:3 -IC_:2 -ID:-7 -ID$:-3 -IDD:-1 -IDF:-2 -IDH:-1 -ID_:6 -IE:1 -IEI:1
-IEM:-3 -IEN:2 -IEY:1 -IE_:1 -IF:-2 -IF_:-2 -IG:3 -IG$:2 -IH:-3 -IHI:-1 -IH_:-2 -II:3 -IIH:2 -IIN:1 -IK:-3
-IK$:-1 -IKY:-1 -IK_:-1 -IL:-4 -IL_:-4 -IM:4 -IM$:1 -IMI:3 -IMM:2 -IM_:-1 -IN:4 -INE:1 -INM:4 -INR:-2
-IN_:-4 -INa:2 -IO$:1 -IP:2 -IP_:1 -IR:-1 -IRV:-1 -IS:-3 -IS$:-1 -ISW:-1 -IS_:2 -ISa:-2 -IT:-1 -IT$:-1
-IT_:3 -IU:4 -IU$:3 -IUV:2 -IUW:-2 -IV:-4 -IVI:-3 -IW:2 -IW$:8 -IWG:2 -IWM:-3 -IWN:-3 -IWO:1 -IWT:-1 -IW_:-7
-IWa:4 -IX:3 -IX$:-3 -IX_:5 -IY:2 -IYE:2 -IYG:-1 -I_:-4 -I_$:-1 -I_A:5 -I_B:1 -I_D:4 -I_E:4 -I_F:-2 -I_G:-2
-I_H:-1 -I_I:1 -I_K:-1 -I_L:1 -I_N:-5 -I_S:-1 -I_W:1 -I_X:-4 -I_Y:3 -I__:-5 -I_a:5 -Ia:-8 -IaA:2 -IaG:-7
-Ia_:2 -K$:-2 -KM:-2 -KM$:-2 -KN:-1 -KN_:-1 -KP:-1 -KY:-1 -KY_:-1 -K_:-7 -K_L:-1 -K_S:-3 -K_T:-1 -K__:-1
-K_a:-1 -L$:4 -LL:-1 -LL$:-1 -L_:-3 -L_W:-1 -L__:-2 -M$:4 -MD:-1 -MF:1 -MG:4 -MG$:2 -MGP:1 -MG_:1 -MI:1
-MI_:2 -MK:-2 -MK$:-2 -MM:-3 -MM$:-2 -MMG:1 -MMW:1 -MM_:1 -MN:3 -MN$:-2 -MN_:4 -MP:1 -MP$:1 -MR:2 -MR_:-1
-MW:4 -MW$:-1 -MW_:4 -MY:-6 -M_:-5 -M_$:-10 -M_D:-3 -M_G:3 -M_I:1 -M_O:1 -M_T:-1 -M_W:1 -M_Y:3 -M__:1 -Ma:1
-MaG:1 -N$:9 -NC:2 -NC$:2 -NE:1 -NEF:1 -NEG:1 -NEM:2 -NEN:-2 -NER:1 -NEW:-5 -NEY:-3 -NE_:8 -NG:1 -NG$:3
-NGM:-1 -NGP:3 -NG_:-5 -NH:1 -NI:3 -NIW:-2 -NI_:1 -NK:-2 -NKM:-2 -NM:6 -NM$:5 -NMG:2 -NMW:2 -NM_:-4 -NMa:2
-NN:2 -NNI:1 -NNR:1 -NP:-5 -NRM:-1 -NR_:1 -NS:-12 -NS$:-3 -NSN:-1 -NS_:-7 -NT:-2 -NT_:-2 -NW:9 -NW$:8 -NWI:2
-NWM:2 -NWN:4 -NW_:-6 -NWa:-1 -NY:-1 -NY_:1 -N_:-6 -N_$:-6 -N_G:2 -N_I:-3 -N_K:2 -N_M:-5 -N_N:-2 -N_R:-1
-N_S:-1 -N_Y:-2 -N__:8 -Na:1 -NaG:2 -O$:8 -OF:1 -OF$:1 -OG:-2 -OG$:1 -OG_:-3 -OH:2 -OI:1 -OK:-2 -OK$:-1
-OP:1 -OP$:1 -OS$:-1 -OT:-1 -OT$:-1 -OU:2 -OU$:2 -OUM:1 -OY:-1 -O_$:-5 -O_S:1 -O_a:3 -P$:-1 -PFN:1 -PFY:-3
-PG:-3 -PN:1 -PNM:1 -PNW:1 -PP:2 -PPN:1 -PPX:2 -PS:8 -PS$:3 -PSI:-1 -PSO:1 -PSW:2 -PSY:2 -PS_:2 -PSa:-2
-PT:-3 -PT$:-1 -PW:-4 -PWI:-2 -PWY:1 -PX:4 -PX$:2 -PXI:2 -PXO:-1 -PXY:2 -PXa:-1 -PY:-1 -P_:3 -P_$:-1 -P_I:5
-P_N:3 -P_O:1 -P_S:2 -P_X:-1 -P_Y:-2 -P__:-3 -Pa:1 -R$:-1 -RG:1 -RG$:1 -RM:-2 -RMM:-2 -RMN:4 -RN:-1 -RNM:-1
-RO:2 -RO$:3 -RV:-1 -RVa:-1 -RY:1 -R_:1 -R_G:1 -R_Y:2 -R_a:-1 -Ra:1 -S$:8 -SC:-3 -SD:-1 -SD_:-2 -SG:1 -SI:-7
-SIH:-3 -SI_:-2 -SM_:-1 -SN:-4 -SN$:-2 -SN_:-2 -SO$:-1 -SO_:1 -SP$:2 -SPP:1 -SR:1 -SRO:1 -SS:2 -SW:2 -SW$:-2
-SW_:5 -SY:1 -SY$:1 -SY_:-1 -S_:5 -S_$:6 -S_A:2 -S_D:2 -S_G:2 -S_I:4 -S_K:-1 -S_O:-2 -S_S:1 -S_T:-1 -S_W:-1
-S__:-6 -S_a:2 -Sa:-8 -SaG:-6 -SaK:-1 -Sa_:-4 -Saa:1 -T$:-8 -T0:-1 -T0$:-1 -TF:-2 -TI:-3 -TN:-2 -TP:-5
-TP$:-2 -TS:-1 -TT:-2 -TT$:-1 -TY:1 -TY_:-1 -T_:2 -T_$:-3 -T_I:5 -T__:2 -T_a:-1 -U$:5 -UM:-3 -UM$:1 -UN:-2
-UNM:-2 -UT:-1 -UTI:-1 -UV:2 -UW:-2 -U_:1 -U_$:1 -U_F:1 -U_Y:3 -U__:-3 -U_a:1 -V$:5 -VI:-2 -VIU:-3 -VI_:-2
-VIa:1 -VY:-1 -V_:8 -V_S:1 -V_V:1 -V__:5 -VaL:-1 -Va_:1 -W$:3 -WD:-1 -WD_:-1 -WG:3 -WG$:3 -WI:-2 -WI$:7
-WID:3 -WIG:1 -WIH:-1 -WIK:-1 -WIM:4 -WIN:3 -WIO:1 -WIT:-3 -WI_:-11 -WIa:-5 -WM:-2 -WM$:-1 -WMG:1 -WMN:-3
-WM_:2 -WMa:-1 -WN:4 -WN$:4 -WNT:-1 -WNa:-2 -WO:-4 -WO$:1 -WOG:-2 -WOU:1 -WO_:-4 -WP:2 -WS:-1 -WS$:-1
-WS_:-1 -WT:-1 -WY:-4 -WYI:-1 -WYN:2 -W_:-1 -W_$:5 -W_0:-1 -W_D:1 -W_F:-2 -W_I:2 -W_Y:1 -W__:-7 -Wa:2 -WaG:1
-WaI:-2 -WaK:-1 -WaW:2 -Wa_:-5 -Waa:4 -X$:2 -XDI:1 -XDK:-1 -XI:2 -XI$:-2 -XID:-3 -XI_:7 -XO$:1 -XOU:1
-XO_:-1 -XP:-1 -XP$:1 -XPP:1 -XY:1 -XYI:1 -XY_:-2 -X_:-2 -X_$:2 -X_I:-1 -X_L:1 -X_O:-1 -X_Y:1 -X__:-3 -Xa:-1
-XaI:1 -XaK:-1 -Xa_:-3 -Y$:5 -YB:2 -YB$:2 -YD:1 -YD_:1 -YE:-1 -YE_:3 -YF:4 -YFS:3 -YG:-2 -YG$:-3 -YGN:-1
-YG_:1 -YH:2 -YI:4 -YIN:1 -YIP:2 -YIU:1 -YIW:1 -YIX:1 -YI_:-1 -YL:2 -YL_:1 -YM:1 -YM$:1 -YN:-5 -YNE:1
-YNI:-5 -YNM:2 -YNW:-2 -YP:2 -YP$:-1 -YPS:1 -YP_:2 -YR:-2 -YS$:1 -YSW:-1 -YS_:-1 -YU:-9 -YU$:-4 -YW:-10
-YW$:-6 -YWI:-3 -YX:-3 -YXI:-2 -YY:4 -YY_:3 -Y_:7 -Y_$:-2 -Y_A:-1 -Y_D:-1 -Y_G:1 -Y_I:-2 -Y_M:2 -Y_N:4
-Y_S:1 -Y_W:2 -Y__:1 -Y_a:2 -Ya:-2 -Ya_:-2 -ZG:3 -ZGF:1 -ZT:2 -Z_:1 -^D:-8 -^DD:-2 -^DG:-1 -^DN:-2 -^DP:3
-^DW:-3 -^D_:-1 -^E:4 -^EF:1 -^E_:4 -^F:3 -^FF:-1 -^FN:1 -^FO:-1 -^FS:4 -^FW:-3 -^FX:1 -^FY:4 -^F_:-2 -^H:-8
-^H$:-2 -^HI:-3 -^HW:-2 -^HY:-2 -^I:-2 -^ID:-4 -^IF:-2 -^II:1 -^IN:-6 -^IS:-2 -^IT:6 -^IU:-1 -^IV:-4 -^IX:3
-^IY:2 -^I_:3 -^M:3 -^M_:1 -^Ma:1 -^N:3 -^N$:4 -^NE:-6 -^NG:5 -^NH:1 -^NI:7 -^NM:5 -^NN:1 -^NP:-5 -^NS:-10
-^NW:9 -^NY:-2 -^Na:2 -^O:2 -^ON:-1 -^O_:3 -^P$:1 -^PF:-3 -^PP:1 -^PS:7 -^PT:-1 -^PW:-1 -^PX:2 -^PY:2
-^P_:-4 -^Pa:-1 -^S:6 -^S$:10 -^SD:-1 -^SG:1 -^SI:-3 -^SN:-2 -^SO:2 -^SP:1 -^SS:1 -^SW:6 -^SY:-1 -^S_:3
-^Sa:-7 -^T:1 -^TF:-1 -^TI:-1 -^TY:3 -^T_:-1 -^U:2 -^U_:2 -^V:6 -^V$:1 -^V_:3 -^Va:2 -^W:-7 -^WI:-7 -^WY:2
-^W_:-1 -^Wa:-2 -^X:6 -^X$:3 -^XI:3 -^XO:1 -^XP:2 -^XY:-2 -^X_:-1 -^Xa:1 -^Y:-7 -^YD:2 -^YE:-2 -^YF:3
-^YI:-2 -^YN:-6 -^YS:-1 -^YW:-3 -^Y_:2 -^_:5 -^_$:3 -^_A:2 -^_D:-2 -^_E:-2 -^_F:1 -^_G:-6 -^_H:1 -^_I:-3
-^_K:2 -^_N:2 -^_O:-7 -^_P:-3 -^_S:-3 -^_T:-1 -^_U:-3 -^_V:3 -^_W:4 -^_Y:2 -^__:5 -^_a:-6 -^a:-1 -^aI:2
-^a_:-1 -_$:-16 -_0:-4 -_0$:-2 -_0T:-1 -_0_:-1 -_A$:3 -_A_:-1 -_Aa:-2 -_B:7 -_B$:5 -_BY:2 -_C_:1 -_D:5
-_D$:-1 -_DC:2 -_DG:2 -_DI:1 -_DK:2 -_DS:3 -_DT:2 -_DW:1 -_D_:-4 -_E:-4 -_E$:-3 -_EH:-2 -_EN:1 -_EO:1 -_EY:2
-_E_:-5 -_F$:-1 -_FH:-1 -_FI:3 -_FN:-2 -_FY:1 -_F_:-2 -_G:2 -_G$:7 -_GI:1 -_GM:2 -_GP:-5 -_G_:-3 -_H:3
-_H$:-1 -_H_:1 -_I:1 -_I$:-4 -_IC:2 -_ID:-2 -_II:2 -_IL:-4 -_IM:1 -_IN:-1 -_IT:-1 -_IU:5 -_IW:3 -_IX:-3
-_IY:1 -_I_:5 -_Ia:-1 -_K:-2 -_K$:2 -_K_:-4 -_L:2 -_L$:2 -_M:-4 -_MI:-1 -_MM:1 -_MR:1 -_MW:2 -_M_:-3 -_Ma:-2
-_N:1 -_N$:4 -_NC:2 -_NI:-3 -_NM:-5 -_NN:1 -_NR:1 -_NW:-1 -_NY:2 -_N_:-4 -_O:2 -_O$:3 -_OK:-1 -_OT:-1 -_OU:1
-_O_:4 -_P$:-3 -_PN:1 -_PY:-1 -_P_:5 -_R:-1 -_R$:1 -_RM:-2 -_RO:-1 -_R_:2 -_S:-11 -_S$:-6 -_SI:-1 -_SN:-1
-_SO:-3 -_SW:-4 -_S_:2 -_Sa:1 -_T:-9 -_T$:-5 -_TP:-1 -_T_:-2 -_U:6 -_U$:9 -_V:4 -_V$:4 -_W:6 -_W$:2 -_WD:-1
-_WG:1 -_WI:3 -_WP:2 -_WS:-1 -_WY:-4 -_W_:4 -_X:-6 -_XI:-2 -_XP:-2 -_X_:-3 -_Y:5 -_Y$:6 -_YB:2 -_YG:1 -_YI:2
-_YL:1 -_YM:1 -_YN:1 -_YP:3 -_YS:-1 -_YU:-5 -_YW:-2 -_YX:-3 -_YY:3 -_Y_:-1 -_Z:3 -_Z_:3 -__:-7 -__$:-12
-__A:-4 -__B:5 -__C:1 -__D:1 -__E:-6 -__G:1 -__H:4 -__I:-6 -__K:-4 -__L:1 -__M:-2 -__N:-2 -__O:4 -__P:2
-__R:2 -__S:1 -__T:-3 -__U:4 -__V:2 -__W:3 -__X:-1 -__Z:3 -___:-1 -__a:1 -_a:6 -_a$:-1 -_aG:2 -_aK:-2 -_aL:3
-_aM:-2 -_aR:1 -_aT:1 -_aW:4 -_aX:-1 -_aY:2 -_aZ:-1 -_a_:-3 -_aa:-1 -a$:1 -aA:2 -aA$:2 -aB:1 -aB$:1 -aG:-6
-aG$:-9 -aGM:3 -aI:3 -aI$:-2 -aID:-2 -aIG:1 -aIU:1 -aI_:5 -aK:-6 -aK$:-1 -aK_:-2 -aL:1 -aL$:4 -aL_:-1 -aM:-1
-aM_:-2 -aO:1 -aPT:-1 -aP_:1 -aR:2 -aS:-1 -aT:-2 -aT_:-1 -aU:-5 -aU$:-4 -aV:2 -aV_:1 -aW:4 -aWI:4 -aX:-1
-aX_:-1 -aY:2 -aY$:1 -aZ:1 -aZG:2 -a_:-13 -a_$:-10 -a_A:-2 -a_F:-2 -a_G:4 -a_P:-3 -a_S:-2 -a_U:2 -a_W:2
-a_Y:-3 -a_a:-1 -aa:3 -aa_:1 0:-5 0&D:-1 0&G:-1 0&I:-1 0&N:-3 0&P:-2 0&S:-2 0&T:-2 0&W:-3 0&Y:-1 0.:-5
0..P:-2 0..T:-1 =0$:-3 =0T:-1 =AP:2 =Aa:-3 =Aa$:-1 =AaT:-2 =B$:5 =BY:3 =BY$:1 =BYH:2 =C$:3 =CF:-2 =CG:1
=CG$:1 =CR:1 =CR$:1 =CW:1 =CW$:1 =Ca:1 =CaR:1 =D$:-7 =DA:-2 =DA$:-2 =DC:2 =DD:-4 =DD$:-1 =DDD:-1 =DDI:-1
=DDN:-1 =DEF:1 =DEN:-1 =DF:-2 =DG:1 =DG$:-1 =DH:-2 =DHX:-1 =DI:1 =DID:-2 =DIN:-1 =DIU:3 =DK:1 =DK$:1 =DL:-4
=DL$:-3 =DN:-4 =DNI:-1 =DNM:-2 =DNW:-1 =DP:3 =DPF:3 =DS:1 =DS$:3 =DSW:-1 =DT:1 =DT$:1 =DU:1 =DU$:-1 =DW:-3
=DWS:-1 =DY:-3 =DYD:-1 =DYN:-1 =DYP:-1 =Da:-1 =E$:-1 =EF:3 =EFI:1 =EFN:1 =EG:2 =EG$:2 =EH:-2 =EIX:1 =EL:1
=EL$:1 =EM:-2 =EM$:-4 =EMK:-2 =EMO:2 =EMR:1 =EMW:1 =ENG:-2 =ENM:4 =ENR:1 =ENY:-2 =EO:1 =EOK:-2 =ER:2 =ERM:1
=ES:-2 =ESI:-1 =ESW:1 =EW:-5 =EW$:-2 =EWY:-3 =EX:3 =EX$:2 =EY:1 =EYG:1 =EYN:1 =EYS:3 =Ea:3 =Ea$:2 =F$:-6
=FF:1 =FFI:-1 =FH:-1 =FH$:-1 =FI$:1 =FII:-1 =FIK:-1 =FIW:1 =FIX:-2 =FIY:1 =FL:1 =FL$:1 =FN:2 =FNE:1 =FNI:2
=FNM:-1 =FNW:3 =FNY:-1 =FNa:1 =FO:4 =FO$:5 =FOS:-2 =FR:1 =FS:3 =FS$:-2 =FSD:2 =FSG:1 =FSI:1 =FSO:-2 =FSW:2
=FW:-4 =FWS:-1 =FX:1 =FXI:1 =FYI:-1 =FYN:1 =FYP:1 =FYW:-1 =FYa:-2 =Fa:-3 =FaG:-2 =G$:7 =GB:1 =GD:1 =GF:-2
=GF$:-2 =GI:-3 =GI$:-2 =GIM:1 =GIT:-1 =GM:2 =GM$:3 =GP:1 =GP$:2 =GR:-2 =GR$:-2 =GT:-2 =GTP:-1 =GW:1 =GW$:1
=GX:-1 =GX$:-1 =GY$:1 =Ga:1 =GaI:1 =H$:-7 =HG:-3 =HI:-4 =HI$:-1 =HIM:-1 =HIS:-1 =HIW:-1 =HO:3 =HS:3 =HS$:-1
=HU:1 =HU$:1 =HW:-4 =HW$:-2 =HWI:-2 =HX:-1 =HX$:-1 =HY:-1 =HYR:-2 =HYW:2 =Ha:-1 =IA:8 =IA$:10 =IAa:-2 =IB:1
=IBY:1 =IC:3 =ICG:1 =ICR:1 =ICW:1 =ID:-3 =ID$:4 =IDD:-1 =IDF:-2 =IDH:-1 =IDL:-3 =IDN:-1 =IDS:1 =IE:-1 =IEI:1
=IEM:-3 =IEN:2 =IEO:1 =IER:1 =IES:-2 =IEW:-3 =IEX:2 =IEY:3 =IF:-4 =IF$:-2 =IFS:-2 =IG:1 =IH:-4 =IH$:-2
=IHI:-1 =IHY:-2 =II:6 =II$:5 =IIH:2 =IIN:1 =IIX:-2 =IIa:2 =IK:-3 =IK$:-2 =IKT:-1 =IKY:-1 =IL:-1 =IL$:-1
=IM:5 =IM$:1 =IMI:3 =IMM:2 =IN$:4 =INC:2 =INE:1 =INI:-5 =INN:1 =INR:-1 =INT:-2 =INW:-3 =INY:1 =INa:1 =IO:1
=IO$:1 =IP:2 =IR:-4 =IRM:-3 =IRV:-1 =IS:1 =IS$:3 =ISA:2 =ISD:-1 =ISE:-1 =ISK:-1 =ISW:1 =ISa:-2 =IT:-2
=IT0:-1 =ITI:1 =IU:4 =IU$:2 =IUF:-1 =IUV:2 =IUW:-4 =IUY:5 =IV:-4 =IVI:-3 =IVY:-1 =IW:2 =IW$:4 =IWD:1 =IWG:1
=IWI:-1 =IWM:-4 =IWN:-3 =IWO:1 =IWP:-2 =IWT:-1 =IWY:3 =IWa:4 =IX:-2 =IX$:-3 =IXL:1 =IXY:1 =IXa:-1 =IY:3
=IYE:2 =IYG:2 =IYL:1 =IYS:-3 =Ia:-1 =IaA:2 =IaG:-3 =IaL:4 =IaM:1 =IaW:2 =K$:-3 =KI:-1 =KI$:-1 =KL:-1 =KL$:-1
=KM:-2 =KM$:-2 =KN:-2 =KN$:-1 =KP:-1 =KS:-3 =KSW:-3 =KT:-1 =KY:-1 =Ka:-1 =L$:2 =LL:-1 =LL$:-1 =LW:-1 =LW$:-1
=La:-2 =M$:-2 =MD:-4 =MD$:-3 =MF:1 =MG:4 =MG$:5 =MGI:-1 =MGP:1 =MGT:-1 =MGY:1 =MI:-1 =MI$:-1 =MK:-2 =MK$:-2
=MM:-3 =MM$:-2 =MMG:1 =MMO:1 =MMW:1 =MN:3 =MN$:2 =MO:3 =MO$:1 =MP:1 =MP$:1 =MR:2 =MT:-1 =MT$:-1 =MU:1 =MU$:1
=MW:5 =MW$:4 =MY:-3 =MYG:-4 =MYS:1 =Ma$:-1 =MaG:1 =MaU:1 =N$:10 =NC:1 =NC$:1 =ND:1 =NE:2 =NEF:1 =NEG:2
=NEM:2 =NEN:-2 =NER:1 =NEW:-4 =NEY:-3 =NG:3 =NG$:3 =NGM:-3 =NGP:2 =NH:1 =NI$:6 =NIF:-2 =NIN:3 =NIW:-5
=NIa:-1 =NK$:2 =NKM:-2 =NM:1 =NM$:-1 =NMD:-2 =NMG:1 =NMI:-4 =NMR:1 =NMW:3 =NMY:2 =NNI:-1 =NNR:1 =NO:-1
=NO$:-1 =NP:-5 =NP$:-2 =NR:2 =NR$:1 =NRY:3 =NS:-13 =NS$:-3 =NSI:-2 =NSN:-2 =NSW:-4 =NT:-2 =NTT:-1 =NU:1
=NU$:1 =NW:5 =NW$:2 =NWI:-3 =NWM:2 =NWN:5 =NWO:2 =NWa:1 =NY:-3 =NY$:-2 =NYG:-3 =Na:2 =Na$:-1 =NaG:2 =NaM:-1
=NaW:3 =O$:3 =OF:1 =OG:-2 =OG$:-2 =OH:2 =OI:-3 =OI$:-4 =OK:-2 =OK$:-1 =OP:3 =OP$:1 =OS$:1 =OT:-1 =OT$:-1
=OU:2 =OU$:2 =OUM:1 =OW:2 =OW$:2 =OY:-1 =OY$:-1 =Oa:5 =OaT:3 =PFN:3 =PFY:-3 =PG:-1 =PGI:-1 =PI:4 =PIX:1
=PM:1 =PN:4 =PNI:-1 =PNM:1 =PNW:3 =PO:-2 =POI:-3 =PP:3 =PPN:1 =PPX:2 =PS:1 =PSI:-1 =PSO:1 =PSS:2 =PSW:-2
=PSY:2 =PSa:-1 =PT:-3 =PT$:-1 =PW:-1 =PWI:-2 =PWY:1 =PX:3 =PX$:2 =PXO:-1 =PXY:2 =PXa:-1 =PY:-3 =PY$:-2
=PaL:1 =R$:-1 =RG:2 =RG$:1 =RM:-2 =RMM:-1 =RMN:4 =RN:-1 =RNM:-1 =RO:2 =RO$:2 =RV:-1 =RVa:-1 =RY:3 =RY$:3
=RaY:2 =S$:2 =S0:-2 =S0$:-2 =SA$:1 =SC:-3 =SD:1 =SD$:-2 =SDG:3 =SDY:1 =SE:-1 =SE$:-1 =SG:3 =SG$:2 =SGP:1
=SI:-2 =SI$:-4 =SIA:1 =SIH:-3 =SIW:3 =SIa:-2 =SK:-1 =SK$:-1 =SN:-4 =SN$:-4 =SO:-1 =SO$:-2 =SP:3 =SP$:4
=SPP:1 =SR:1 =SRO:1 =SS:3 =SS$:1 =ST:-1 =SW:1 =SW$:-1 =SWI:3 =SY:1 =SYG:1 =Sa:-1 =Sa$:1 =SaG:1 =SaK:-1
=SaT:-1 =SaW:-1 =Saa:1 =T$:-8 =T0:-1 =T0$:-1 =TF:-2 =TI:2 =TI$:-1 =TIC:1 =TIH:-1 =TII:2 =TN:-2 =TP:-5
=TP$:-3 =TS:-1 =TS$:-1 =TT:-2 =TT$:-1 =TY:1 =TY$:-1 =Ta:-1 =Ta$:-1 =U$:2 =UF:1 =UM:-3 =UM$:1 =UN:-1 =UNM:-2
=UT:-1 =UTI:-1 =UV:2 =UV$:2 =UW:-4 =UY:5 =UY$:3 =Ua:1 =V$:8 =VI:-1 =VI$:-1 =VIU:-3 =VIa:1 =VS:1 =VSW:1 =VV:2
=VV$:2 =VY:-1 =Va:-1 =VaL:-2 =W$:3 =W0:-1 =WD:-1 =WF:-2 =WG:3 =WG$:3 =WI:-1 =WI$:-2 =WID:3 =WIG:1 =WIH:-1
=WII:1 =WIK:-1 =WIM:5 =WIO:1 =WIT:-3 =WIa:-5 =WM:-2 =WMG:1 =WMN:-3 =WMa:-1 =WN:4 =WN$:4 =WNI:4 =WNT:-1
=WNa:-2 =WO:-2 =WO$:-3 =WOG:-2 =WOU:1 =WP$:-2 =WS:-1 =WS$:-1 =WT:-1 =WY$:-1 =WYI:-1 =WYN:2 =Wa:2 =Wa$:-4
=WaG:1 =WaI:-2 =WaK:-1 =WaW:2 =WaY:1 =Waa:4 =X$:3 =XD$:-2 =XDI:1 =XDK:-1 =XF:-1 =XI:1 =XI$:5 =XID:-3 =XIG:-1
=XII:-2 =XIL:2 =XIT:-1 =XIY:1 =XIa:-2 =XL:1 =XL$:1 =XO:-2 =XO$:-1 =XOG:-1 =XOU:1 =XP:-1 =XP$:-1 =XPP:1 =XY:1
=XYI:-1 =XYL:1 =Xa:-2 =Xa$:-2 =XaG:-1 =XaI:-1 =XaK:-1 =XaL:2 =XaS:6 =Xaa:-3 =Y$:7 =YA:-1 =YA$:-1 =YB:2
=YB$:2 =YD:-1 =YD$:-2 =YDF:2 =YES:1 =YF:3 =YFS:3 =YG:-2 =YG$:-1 =YGN:-1 =YH:2 =YI:-4 =YI$:-6 =YID:-1 =YIK:-1
=YIL:-2 =YIN:1 =YIP:2 =YIS:1 =YIU:1 =YIW:1 =YIX:1 =YL:2 =YL$:1 =YM:3 =YM$:2 =YN$:1 =YNE:1 =YNI:-4 =YNM:2
=YNW:-1 =YO:1 =YP:2 =YPS:2 =YR:-3 =YS$:1 =YSI:3 =YSW:-1 =YSa:-2 =YT:1 =YT$:-1 =YU:-9 =YU$:-4 =YW:-6 =YW$:-5
=YWa:1 =YX:-3 =YXI:-2 =YY:4 =YYN:1 =YYS:1 =Ya:-1 =Ya$:2 =YaS:-1 =YaU:1 =Yaa:-1 =ZG:3 =ZG$:2 =ZGF:1 =ZT:2
=^0:-1 =^A:2 =^A$:2 =^B:1 =^D:-6 =^D$:2 =^DA:-1 =^DC:2 =^DD:-3 =^DF:-1 =^DG:-1 =^DI:1 =^DN:-2 =^DP:3 =^DS:1
=^DW:-2 =^DY:-3 =^Da:-1 =^E:3 =^EF:1 =^EL:1 =^EN:2 =^EO:-1 =^EX:1 =^EY:2 =^Ea:3 =^F:5 =^F$:2 =^FF:1 =^FH:-1
=^FI:2 =^FO:2 =^FS:3 =^FW:-4 =^FX:1 =^FY:1 =^Fa:-3 =^G:-6 =^G$:-1 =^GP:-5 =^H:-4 =^H$:-2 =^HI:-3 =^HS:3
=^HW:-4 =^HY:-1 =^Ha:-1 =^I:2 =^I$:-4 =^IA:5 =^IC:1 =^IE:-2 =^IF:-1 =^IH:-1 =^II:5 =^IK:1 =^IM:1 =^IN:-10
=^IT:4 =^IV:-4 =^IW:3 =^IX:-1 =^IY:-1 =^Ia:7 =^K:-2 =^K$:2 =^M:4 =^M$:2 =^MW:1 =^Ma:1 =^N:1 =^N$:4 =^ND:2
=^NE:-1 =^NG:7 =^NH:1 =^NI:7 =^NK:1 =^NN:-2 =^NP:-5 =^NR:2 =^NS:-11 =^NW:7 =^NY:-2 =^Na:4 =^O:-4 =^O$:-2
=^OG:-1 =^ON:-1 =^OS:1 =^P:-2 =^PF:-2 =^PI:4 =^PM:1 =^PN:3 =^PO:-2 =^PP:2 =^PS:-2 =^PT:-1 =^PW:-1 =^PX:1
=^PY:-1 =^Pa:-2 =^S:4 =^SD:-1 =^SG:2 =^SI:-1 =^SM:-1 =^SN:-2 =^SP:4 =^SS:1 =^ST:-1 =^SW:3 =^Sa:4 =^T:-1
=^T$:-2 =^TF:-1 =^TI:-1 =^TY:2 =^Ta:-1 =^U:-1 =^V:9 =^V$:4 =^VI:1 =^VV:1 =^Va:2 =^W:-3 =^W$:-2 =^WI:-2
=^WN:2 =^WY:2 =^Wa:-3 =^X:5 =^X$:6 =^XF:-1 =^XI:3 =^XP:-1 =^XY:-2 =^Y:-8 =^Y$:5 =^YA:-1 =^YD:1 =^YF:2
=^YG:-2 =^YI:-5 =^YN:-6 =^YP:2 =^YS:-1 =^YT:2 =^YU:-5 =^YW:-4 =^YX:-3 =^YY:3 =^Ya:4 =^Z:3 =^Z$:3 =^a:-7
=^a$:1 =^aF:-2 =^aG:-4 =^aI:7 =^aK:-2 =^aL:-2 =^aM:-1 =^aN:-2 =^aS:-1 =^aT:-1 =^aW:1 =^aY:1 =^aa:-1 =a$:-3
=aA:-1 =aA$:-1 =aB:1 =aB$:1 =aD:-1 =aF:-2 =aFN:-2 =aG:-2 =aG$:-6 =aGI:-1 =aGM:3 =aGX:-1 =aI:4 =aI$:4 =aID:-2
=aIG:1 =aIU:1 =aK:-6 =aK$:-2 =aKL:-1 =aKa:-1 =aL$:3 =aLa:-2 =aM:-1 =aM$:-2 =aN:-2 =aN$:2 =aNM:-2 =aP:-2
=aP$:-2 =aPT:-1 =aR:1 =aR$:-1 =aRG:1 =aS:3 =aS$:4 =aT:-2 =aT$:-1 =aTI:-1 =aU:-3 =aU$:-3 =aV:3 =aW:5 =aW$:-1
=aWG:1 =aWI:4 =aX:-1 =aX$:-1 =aY:-2 =aY$:-2 =aZ:1 =aZG:2 =aa:-2 =aa$:1 =aaG:1 ?:-23 A:-3 A~strange~0:1
A~strange~1:2 A~strange~2:4 A~strange~3:-3 A~strange~4:-6 A&D:-2 A&E:-3 A&F:-1 A&H:-2 A&I:5 A&M:1 A&N:-1
A&O:-6 A&S:4 A&T:-4 A&V:1 A&Y:1 A&Z:-2 A.:-2 A..P:2 A..T:-2 A..a:-3 A?:-1 B:8 B~strange~0:1 B~strange~1:1
B~strange~2:4 B~strange~3:1 B~strange~4:2 B&G:2 B&H:7 B&I:-1 B&M:1 B&O:2 B&S:1 B&W:-3 B&Y:5 B&a:3 B.:8
B..H:2 B..Y:3 C:5 C&D:1 C&F:-1 C&G:2 C&I:5 C&M:-1 C&N:2 C&R:2 C&S:-3 C&T:1 C&W:1 C&X:3 C&a:1 C.:5 C..F:-1
C..G:2 C..M:-1 C..R:2 C..W:1 C..a:1 D:-11 D&E:-1 D&F:2 D&G:2 D&I:-1 D&L:-5 D&M:-8 D&N:-2 D&O:1 D&P:1 D&R:1
D&T:3 D&U:4 D&V:2 D&X:-8 D&Y:1 D&Z:3 D&a:-4 D.:-9 D..A:-1 D..C:1 D..D:-8 D..F:1 D..G:1 D..H:-2 D..I:1
D..L:-4 D..M:-10 D..N:-6 D..O:-1 D..P:2 D..R:-1 D..S:-2 D..T:3 D..U:4 D..W:-9 D..X:-2 D..Z:3 D..a:-1 D?:-1
E:2 E&F:4 E&G:2 E&H:-3 E&I:4 E&K:-6 E&L:2 E&M:5 E&N:7 E&O:5 E&P:5 E&R:1 E&S:1 E&T:2 E&U:-2 E&W:-2 E&X:4
E&Y:3 E&Z:1 E&a:4 E.:4 E..D:-2 E..F:2 E..G:3 E..H:-2 E..I:4 E..K:-6 E..L:2 E..M:4 E..N:4 E..O:3 E..R:1
E..S:1 E..W:-3 E..X:5 E..Y:2 E..Z:1 E..a:5 E?:-2 F:-1 F&G:2 F&I:2 F&K:-3 F&L:3 F&N:5 F&O:7 F&P:4 F&R:1
F&S:-3 F&U:3 F&V:-3 F&W:-1 F&X:-1 F&Y:3 F&Z:1 F&a:-7 F.:9 F..D:2 F..E:1 F..F:2 F..G:2 F..I:6 F..K:-2 F..L:2
F..M:-1 F..N:3 F..O:5 F..P:1 F..S:-2 F..T:-1 F..U:1 F..V:-3 F..W:2 F..Y:-1 F..Z:1 F..a:-4 F?:-10 G:4
G~strange~0:4 G~strange~1:-9 G~strange~2:6 G~strange~3:3 G&H:-6 G&I:-13 G&K:2 G&M:4 G&N:5 G&O:5 G&P:3 G&R:-2
G&S:12 G&T:-6 G&U:-3 G&V:1 G&W:1 G&X:-4 G&Y:5 G&Z:3 G.:9 G..0:-1 G..B:2 G..D:-1 G..F:-2 G..I:-1 G..M:3
G..P:-1 G..R:-1 G..T:-3 G..U:1 G..X:-2 G..a:1 G?:-5 H:-9 H&I:-6 H&K:-2 H&L:-2 H&M:-2 H&N:-6 H&O:3 H&P:-5
H&R:-1 H&S:-1 H&T:1 H&U:-1 H&W:-1 H&X:-2 H&Y:3 H&Z:2 H&a:-5 H.:-6 H..B:5 H..D:-1 H..E:-2 H..F:1 H..G:-3
H..I:-2 H..L:-1 H..M:-2 H..O:4 H..P:-1 H..R:-1 H..T:-1 H..U:1 H..W:1 H..X:-2 H..Y:-1 H..Z:-1 H..a:-1 H?:-3
I:6 I&K:-7 I&L:6 I&N:-4 I&O:-2 I&P:6 I&S:-4 I&T:-3 I&U:3 I&W:-4 I&X:1 I&Y:3 I&a:-1 I.:10 I..0:-1 I..A:6
I..B:-1 I..C:4 I..D:-4 I..E:1 I..F:-7 I..G:-7 I..H:-4 I..I:-4 I..K:-6 I..L:5 I..M:3 I..N:-2 I..O:6 I..R:1
I..S:-5 I..T:-8 I..U:-4 I..V:-2 I..W:-1 I..X:-1 I..Z:2 I..a:-7 I?:-5 K:-16 K&L:-2 K&M:-3 K&N:-4 K&O:-2
K&P:-3 K&R:-2 K&S:-5 K&T:-2 K&W:-6 K&X:-3 K&Y:-3 K&a:-5 K.:-14 K..G:-1 K..I:-1 K..K:-1 K..L:-1 K..M:-2
K..N:-2 K..P:-2 K..S:-4 K..T:-1 K..W:-3 K..Y:-1 K..a:-2 K?:-3 L&O:1 L&P:1 L&R:-1 L&S:1 L&T:-1 L&U:4 L&V:-1
L&W:-3 L&X:-2 L&Y:3 L&a:1 L.:-1 L..L:-1 L..W:-3 L..X:1 L..a:-2 L?:2 M:4 M&N:4 M&O:4 M&P:3 M&S:4 M&T:1 M&U:-1
M&V:-4 M&W:6 M&Y:-2 M&Z:1 M&a:2 M.:10 M..D:-4 M..F:1 M..G:2 M..I:-2 M..K:-2 M..M:-2 M..N:3 M..O:5 M..P:1
M..R:2 M..S:-1 M..T:-1 M..U:2 M..W:6 M..Y:-3 M..a:3 M?:-7 N:-13 N&O:8 N&P:1 N&R:5 N&S:1 N&T:-6 N&V:-1 N&W:1
N&X:6 N&Y:1 N&Z:1 N&a:1 N.:-6 N..0:-2 N..C:2 N..D:-3 N..E:2 N..F:-4 N..G:3 N..H:1 N..I:-9 N..K:-3 N..N:2
N..O:3 N..P:-3 N..R:5 N..S:-13 N..T:-8 N..U:-1 N..W:-5 N..Y:-5 N..a:3 N?:-6 O:1 O&R:3 O&S:1 O&U:-3 O&V:1
O&W:-4 O&X:1 O&Y:2 O&Z:3 O&a:2 O.:2 O..B:1 O..G:3 O..H:2 O..I:-3 O..K:-2 O..N:-1 O..O:2 O..P:5 O..S:2 O..T:2
O..U:2 O..W:1 O..Y:1 O..Z:1 O..a:6 O?:-1 P:3 P&R:2 P&S:6 P&T:-10 P&U:4 P&V:1 P&W:7 P&X:-1 P&Y:10 P&a:-6 P.:2
P..A:-2 P..D:-1 P..F:1 P..G:4 P..H:-1 P..I:-4 P..K:-1 P..L:1 P..M:4 P..N:4 P..O:-4 P..P:3 P..S:3 P..T:-4
P..U:2 P..W:7 P..X:4 P..Y:2 P..a:-2 P?:1 R:2 R&S:-1 R&T:2 R&V:-1 R&W:-4 R&X:2 R&Z:2 R.:2 R..I:-2 R..K:-1
R..L:-1 R..M:-2 R..N:3 R..O:3 R..S:-1 R..V:-1 R..W:1 R..Y:2 R..a:-1 S:-6 S~strange~0:12 S~strange~1:2
S~strange~2:-1 S~strange~3:-11 S~strange~4:-8 S&T:-6 S&U:4 S&V:-2 S&W:7 S&X:2 S&Z:-1 S&a:3 S.:-6 S..0:-2
S..A:1 S..C:-3 S..D:1 S..E:-1 S..F:-2 S..G:10 S..H:-3 S..I:-1 S..K:-2 S..L:1 S..M:-3 S..N:-2 S..O:2 S..P:5
S..S:2 S..T:-2 S..U:1 S..V:-1 S..W:3 S..Y:-2 S..a:-6 T:-15 T&U:1 T&W:-4 T&X:-2 T&Y:2 T&a:-6 T.:-11 T..0:-1
T..C:1 T..G:-1 T..H:2 T..I:4 T..M:4 T..N:1 T..O:-1 T..P:-5 T..R:2 T..S:-3 T..T:-2 T..W:-1 T..Y:1 T..a:-3
T?:-4 U:4 U&V:-3 U&W:-8 U&X:10 U&Y:1 U&a:-1 U.:5 U..F:1 U..G:-4 U..I:-1 U..L:4 U..M:-3 U..N:-1 U..T:-1
U..U:1 U..V:2 U..W:-3 U..Y:5 U..a:-1 U?:-1 V:7 V&Y:-5 V&a:1 V.:8 V..A:1 V..I:-1 V..L:-1 V..N:1 V..O:1 V..P:1
V..S:1 V..T:-2 V..U:-5 V..V:4 V..W:2 V?:-1 W:2 W~strange~0:10 W~strange~1:2 W~strange~2:-5 W~strange~3:-3
W~strange~4:-7 W&X:-2 W&Y:6 W&Z:2 W&a:-4 W.:7 W..0:-1 W..D:-2 W..F:-2 W..H:-1 W..K:-3 W..M:4 W..N:1 W..O:-2
W..P:-1 W..S:-2 W..T:-5 W..U:-6 W..W:1 W..a:-4 W?:-4 X:1 X~strange~0:10 X~strange~2:7 X~strange~3:-3
X~strange~4:-10 X&Y:-2 X&a:-7 X.:8 X..C:1 X..D:-4 X..E:-1 X..G:-3 X..H:-1 X..I:-1 X..K:-3 X..L:-2 X..N:1
X..O:-1 X..P:-3 X..S:6 X..T:-1 X..U:8 X..W:1 X..Y:-1 X..a:-3 X?:-7 Y:-1 Y&Z:-1 Y&a:3 Y.:7 Y..B:2 Y..E:1
Y..F:3 Y..G:3 Y..H:3 Y..K:-2 Y..L:4 Y..M:-5 Y..N:-2 Y..O:2 Y..P:4 Y..R:-4 Y..S:2 Y..U:-5 Y..V:1 Y..W:-5
Y..X:-3 Y..Y:2 Y..a:1 Y?:-6 Z:5 Z&a:1 Z.:5 Z..F:1 Z..G:3 Z..I:2 Z..R:1 Z..T:2 a:-5 a.:-3 a..B:2 a..D:-3
a..E:-1 a..F:-1 a..G:2 a..H:-1 a..I:3 a..K:-6 a..L:1 a..M:-4 a..N:-2 a..P:-1 a..R:1 a..S:1 a..T:-4 a..U:-1
a..V:3 a..W:-1 a..X:-2 a..Y:-1 a..Z:1 a..a:-4 a?:-1 clauses~1:1 clauses~2:-7 clauses~3:8 clauses~4:-2
form:52 form~arrete:2 form~baja:1 form~consentement:1 form~deja:2 form~disiscrivi:1 form~do-not:-1
form~hor-auf:2 form~keine:1 form~keyword:11 form~lista:2 form~liste:1 form~nao-me:-3 form~nao-quero:1
form~nicht-mehr:2 form~niente:1 form~no-mas:3 form~no-me:4 form~no-more:2 form~no-quiero:1 form~non-piu:3
form~non-voglio:1 form~opt-out:2 form~pace:1 form~paix:1 form~pare:2 form~paz:2 form~plus-de:1 form~rather:1
form~ruhe:-1 form~smetti:-2 form~stop-writing:2 form~veux-plus:1 form~will-nicht:1 quoted:-11 strange~0:2
strange~1:9 strange~2:1 strange~3:-3 strange~4:-8 strange~5:10 strange~6:-5 strange~7:-6 words~0:10
words~1:1 words~2:-5 words~3:-4 words~5:-3
"""
WEIGHTS = {
    clue.replace("~", " "): int(weight)
    for clue, _, weight in (one.rpartition(":") for one in _LISTED.split())
}
"""The weight of each clue; those of no weight are left out."""
