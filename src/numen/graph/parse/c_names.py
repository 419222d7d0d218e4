"""Names that C knows by itself, and what they mean to a reader of it."""

from __future__ import annotations

STANDARD = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign "
    "stdarg stdatomic stdbit stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time "
    "uchar wchar wctype unistd fcntl pthread dirent dlfcn poll sched semaphore strings syslog termios "
    "pwd grp netdb malloc memory getopt libgen regex glob fnmatch alloca endian features windows "
    "winsock2 io process direct".split()
)
"""Headers of the C library and of POSIX: in angles they are never the tree's own."""

LIBRARY = frozenset(
    "abort abs accept access alarm assert atoi atol atof atoll bind bsearch calloc chdir chmod chown "
    "clock close closedir connect dup dup2 errno execve execvp exit fclose fcntl fdopen feof ferror "
    "fflush fgetc fgets fileno fopen fork fprintf fputc fputs fread free freopen fscanf fseek fstat "
    "fsync ftell ftruncate fwrite getc getchar getcwd getenv gethostbyname getpid getppid gettimeofday "
    "getuid gmtime inet_ntop inet_pton ioctl isalnum isalpha isatty isdigit isinf islower isnan isprint "
    "ispunct isspace isupper isxdigit kill listen localtime localtime_r longjmp lseek malloc memchr "
    "memcmp memcpy memmove memset mkdir mktime mmap munmap nanosleep offsetof open opendir perror pipe "
    "poll pow printf pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock pthread_self "
    "putc putchar puts qsort raise rand read readdir realloc recv rename rewind rmdir scanf select send "
    "setenv setjmp setsockopt setvbuf sigaction signal sizeof sleep snprintf socket sprintf srand "
    "sscanf stat strcasecmp strcat strchr strcmp strcpy strcspn strdup strerror strftime strlen "
    "strncasecmp strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtok strtol strtoll "
    "strtoul strtoull system time toupper tolower truncate umask ungetc unlink usleep va_arg va_copy "
    "va_end va_start vfprintf vprintf vsnprintf vsprintf waitpid write".split()
)
"""Functions of the C library: they are the tree's own only where the same file defines them."""

KEYWORDS = frozenset(
    "if while for switch return sizeof defined do else typeof alignof _Alignof __typeof__".split()
)
