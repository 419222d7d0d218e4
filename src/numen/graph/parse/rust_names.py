"""Names that Rust knows by itself, and what they mean to a reader of it."""

from __future__ import annotations

COMMON = frozenset(
    "new default clone fmt eq ne cmp partial_cmp hash from into try_from try_into as_ref as_mut borrow "
    "borrow_mut to_string to_owned as_str as_bytes as_slice as_path as_os_str deref deref_mut drop next "
    "next_back size_hint iter iter_mut into_iter len is_empty push push_str pop insert remove get "
    "get_mut contains contains_key clear extend append drain retain sort sort_by sort_by_key dedup "
    "split splitn rsplit split_at split_once join concat trim trim_start trim_end starts_with ends_with "
    "strip_prefix strip_suffix find rfind replace chars bytes lines parse unwrap expect unwrap_or "
    "unwrap_or_else unwrap_or_default ok err ok_or and_then or_else map map_err map_or filter "
    "filter_map flat_map fold any all position enumerate zip chain rev skip take take_while peekable "
    "peek collect count sum max min last nth step_by cloned copied first entry or_insert or_default "
    "keys values is_some is_none is_ok is_err read write read_to_string read_to_end write_all write_str "
    "write_fmt flush seek lock unlock send recv try_recv spawn wait kill output status stdin stdout "
    "stderr arg args env current_dir path file_name extension parent exists is_file is_dir metadata "
    "open create build finish id name kind source description cause as_deref to_vec to_lowercase "
    "to_uppercase to_str to_path_buf display with_capacity capacity reserve resize truncate swap "
    "copy_from_slice chunks windows bit_and bitor abs pow checked_add saturating_sub wrapping_add load "
    "store fetch_add as_ptr to_bytes index index_mut add sub mul div neg not call poll run start end "
    "matches set update from_str from_iter is_alphanumeric is_whitespace elapsed now".split()
)
"""Methods of the standard library's types and traits."""

PRIMITIVES = frozenset(
    "bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 String Vec Option Result "
    "Box Some None Ok Err Fn FnMut FnOnce Drop Clone Copy Send Sync Sized Iterator IntoIterator Extend "
    "DoubleEndedIterator ExactSizeIterator Default PartialEq Eq PartialOrd Ord AsRef AsMut Into From "
    "ToOwned ToString TryFrom TryInto FromIterator Debug Hash drop".split()
)
"""Names that are known everywhere without being imported."""

TRANSPARENT = frozenset(
    "Box Rc Arc Cow Pin Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard ManuallyDrop".split()
)

MAY_HOLD = frozenset(
    "Option Result Poll RefCell Cell Mutex RwLock OnceCell OnceLock LazyLock Lazy Weak LockResult".split()
)

HOLD_MANY = frozenset(
    "Vec VecDeque LinkedList HashSet BTreeSet BinaryHeap HashMap BTreeMap IndexMap IndexSet SmallVec "
    "Iterator IntoIterator Peekable Rev Iter IterMut DoubleEndedIterator ExactSizeIterator Drain".split()
)

TAKES = frozenset(
    "unwrap expect unwrap_or unwrap_or_default unwrap_or_else borrow borrow_mut lock read write get_mut "
    "insert get_or_insert_with get_or_insert into_inner force upgrade get".split()
)

STAYS = frozenset(
    "as_ref as_mut as_deref as_deref_mut ok ok_or ok_or_else cloned copied take or or_else filter "
    "map_err context with_context inspect_err inspect clone to_owned by_ref iter iter_mut into_iter "
    "values values_mut into_values drain rev skip take_while skip_while chain peekable step_by fuse "
    "cycle collect to_vec as_slice as_mut_slice enumerate into_boxed_slice entry".split()
)

STAYS_SURELY = frozenset(
    "clone as_ref as_mut as_deref as_deref_mut to_owned borrow borrow_mut by_ref".split()
)

PICKS = frozenset(
    "first last get get_mut pop pop_front pop_back front back next next_back nth peek peek_mut find min "
    "max min_by max_by min_by_key max_by_key first_mut last_mut reduce iter_next".split()
)

INNER = frozenset(
    "map and_then for_each filter any all find position flat_map filter_map find_map map_or map_or_else "
    "is_some_and is_ok_and inspect partition take_while skip_while max_by_key min_by_key sort_by_key "
    "retain map_while unwrap_or_else for_each_mut".split()
)
"""Methods of what holds things whose closure is given one of these things."""

MACROS = frozenset(
    "assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq "
    "debug_assert_ne env eprint eprintln file format format_args include include_bytes include_str line "
    "matches module_path option_env panic print println stringify thread_local todo unimplemented "
    "unreachable vec write writeln macro_rules".split()
)

STANDARD = frozenset(("std", "core", "alloc", "proc_macro"))
"""Crates that come with the language."""
