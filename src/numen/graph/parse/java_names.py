"""Names that Java knows by itself, and what they mean to a reader of it."""

from __future__ import annotations

COMMON = frozenset(
    "equals hashCode toString clone finalize getClass notify notifyAll wait compareTo compare iterator "
    "next hasNext remove add addAll get put putAll contains containsKey containsValue size isEmpty "
    "clear keySet values entrySet getKey getValue setValue toArray stream forEach map filter collect "
    "reduce of copyOf sort run call apply accept test execute submit invoke start stop join interrupt "
    "close read write flush append insert delete length charAt substring indexOf lastIndexOf replace "
    "split trim matches startsWith endsWith format valueOf parse parseInt name ordinal getName "
    "getMessage getCause printStackTrace initCause build builder create newInstance getDeclaredMethods "
    "getMethod getField getAnnotation isInstance cast getType getInstance main print println printf "
    "setUp tearDown reset peek poll push pop offer first last min max sum lock unlock release acquire "
    "nextInt open mark skip available ready intValue longValue doubleValue booleanValue toLowerCase "
    "toUpperCase getBytes toCharArray concat encode decode load store save set update count getId "
    "getParent getChildren orElse isPresent ifPresent thenReturn when verify assertThat assertEquals "
    "isEqualTo hasMessage".split()
)
"""Methods of the JDK's types and of the usual test libraries."""

KNOWN = frozenset(
    "Object String CharSequence StringBuilder StringBuffer Integer Long Short Byte Character Boolean "
    "Double Float Number Math System Thread Runnable Class ClassLoader Enum Record Throwable Exception "
    "RuntimeException Error IllegalArgumentException IllegalStateException NullPointerException "
    "UnsupportedOperationException IndexOutOfBoundsException ClassCastException NumberFormatException "
    "AssertionError InterruptedException CloneNotSupportedException ReflectiveOperationException "
    "ClassNotFoundException Comparable Cloneable Void AutoCloseable Appendable Readable Override "
    "Deprecated SuppressWarnings SafeVarargs FunctionalInterface StackTraceElement StackOverflowError "
    "OutOfMemoryError SecurityException ThreadLocal Process ProcessBuilder Runtime Iterable".split()
)
"""Types of `java.lang`."""

HOLD_MANY = frozenset(
    "List ArrayList LinkedList Collection Set HashSet LinkedHashSet TreeSet SortedSet EnumSet Queue "
    "Deque ArrayDeque PriorityQueue BlockingQueue Iterable Iterator ListIterator Enumeration Stream Map "
    "HashMap LinkedHashMap TreeMap SortedMap ConcurrentMap ConcurrentHashMap EnumMap WeakHashMap "
    "ImmutableList ImmutableSet ImmutableMap Vector CopyOnWriteArrayList Stack NavigableMap".split()
)

MAY_HOLD = frozenset(
    "Optional AtomicReference ThreadLocal Supplier Callable Future CompletableFuture WeakReference "
    "SoftReference Reference Provider Lazy ListenableFuture".split()
)

PICKS = frozenset(
    "get next previous remove first last peek poll pop element getFirst getLast removeFirst removeLast "
    "pollFirst pollLast peekFirst peekLast put getOrDefault computeIfAbsent putIfAbsent nextElement set "
    "firstEntry".split()
)

STAYS = frozenset(
    "iterator listIterator stream parallelStream values subList filter sorted distinct limit skip peek "
    "collect toList spliterator descendingIterator reversed findFirst findAny".split()
)

INNER = frozenset(
    "forEach map filter flatMap anyMatch allMatch noneMatch removeIf ifPresent mapToObj peek sorted "
    "thenAccept thenApply thenCompose collect toMap".split()
)
