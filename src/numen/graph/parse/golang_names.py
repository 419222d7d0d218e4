"""Names that Go knows by itself, and what they mean to a reader of it."""

from __future__ import annotations

SYSTEMS = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris "
    "wasip1 windows zos".split()
)

MACHINES = frozenset(
    "386 amd64 amd64p32 arm arm64 armbe arm64be loong64 mips mipsle mips64 mips64le mips64p32 "
    "mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm".split()
)

BUILTINS = frozenset(
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 "
    "rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close "
    "complex copy delete imag len make max min new panic print println real recover".split()
)

COMMON = frozenset(
    "Error String GoString Format Read Write Close Seek ReadFrom WriteTo ReadByte WriteByte WriteString "
    "ReadString Flush Len Less Swap Push Pop Get Set Add Del Delete Has Name Lock Unlock RLock RUnlock "
    "Wait Done Err Value Context Deadline Unwrap Is As Marshal Unmarshal MarshalJSON UnmarshalJSON "
    "MarshalText UnmarshalText Encode Decode Scan Print Printf Println Fatal Fatalf Errorf Logf Log "
    "Skip Run Parallel Helper Cleanup Setenv TempDir Reset Bytes Start Stop Send Recv Next Key Load "
    "Store Range Do Open Stat IsDir Mode Size ModTime Sys Header ServeHTTP Handle HandleFunc Method "
    "Query Host Sub Mul Cmp Equal Before After Unix Kind Type Elem Field Interface Index Call Copy "
    "Split Join Contains Replace Truncate Execute Parse Lookup New Clone Sum Hash BlockSize Each Find "
    "Match Groups Remove Insert Clear".split()
)
"""Methods of the standard library's types: an attribute of that name says nothing about this tree."""
