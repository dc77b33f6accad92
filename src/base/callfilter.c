#include "base/callfilter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

int callfilter_is_known(void)
{
#ifdef ARCH
	return prctl(PR_GET_SECCOMP) >= 0;
#else
	return 0;
#endif
}

#ifdef ARCH

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (member))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define IF_EQUAL(value, yes, no) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)(value), yes, no)
/* The lower half of an argument on machines that count from there. */
#define ARG(n) offsetof(struct seccomp_data, args[n])
#define DENY(call) IF_EQUAL(call, 0, 1), REFUSE
/* Open flags in argument "n" must not let it write. */
#define READ_ONLY(call, n) \
	IF_EQUAL(call, 0, 4), LOAD(ARG(n)), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITES, 0, 1), REFUSE, \
	RETURN(SECCOMP_RET_ALLOW)
/* Argument 0 must be "value". */
#define ONLY_WITH(call, value) \
	IF_EQUAL(call, 0, 4), LOAD(ARG(0)), IF_EQUAL(value, 1, 0), REFUSE, \
	RETURN(SECCOMP_RET_ALLOW)

int callfilter_install(void)
{
	const struct sock_filter filter[] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		IF_EQUAL(ARCH, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__	/* the x32 calls have numbers of their own */
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		RETURN(SECCOMP_RET_KILL_PROCESS),
#endif
		DENY(SYS_socket), DENY(SYS_socketpair), DENY(SYS_connect),
		DENY(SYS_bind), DENY(SYS_sendto), DENY(SYS_sendmsg),
		DENY(SYS_sendmmsg),

		DENY(SYS_execve), DENY(SYS_execveat), DENY(SYS_clone),
		DENY(SYS_clone3), DENY(SYS_unshare), DENY(SYS_setns),
		DENY(SYS_ptrace), DENY(SYS_process_vm_readv),
		DENY(SYS_process_vm_writev), DENY(SYS_pidfd_open),
		DENY(SYS_pidfd_getfd), DENY(SYS_prlimit64),
		DENY(SYS_io_uring_setup), DENY(SYS_bpf), DENY(SYS_keyctl),
		DENY(SYS_perf_event_open), DENY(SYS_mount),

		DENY(SYS_kill), DENY(SYS_tkill), DENY(SYS_rt_sigqueueinfo),
		DENY(SYS_rt_tgsigqueueinfo), DENY(SYS_pidfd_send_signal),
		ONLY_WITH(SYS_tgkill, getpid()),	/* abort(3) */

		READ_ONLY(SYS_openat, 2), DENY(SYS_openat2),
		DENY(SYS_open_by_handle_at), DENY(SYS_truncate),
		DENY(SYS_mkdirat), DENY(SYS_mknodat), DENY(SYS_unlinkat),
		DENY(SYS_renameat2), DENY(SYS_linkat), DENY(SYS_symlinkat),
		DENY(SYS_fchmodat), DENY(SYS_fchownat), DENY(SYS_fchmod),
		DENY(SYS_fchown), DENY(SYS_utimensat), DENY(SYS_setxattr),
		DENY(SYS_lsetxattr), DENY(SYS_removexattr),
		DENY(SYS_lremovexattr), DENY(SYS_mq_open), DENY(SYS_shmget),
		DENY(SYS_renameat),
#ifdef __x86_64__	/* the same under names of old */
		READ_ONLY(SYS_open, 1), DENY(SYS_creat), DENY(SYS_fork),
		DENY(SYS_vfork), DENY(SYS_mkdir), DENY(SYS_mknod),
		DENY(SYS_unlink), DENY(SYS_rmdir), DENY(SYS_rename),
		DENY(SYS_link), DENY(SYS_symlink), DENY(SYS_chmod),
		DENY(SYS_chown), DENY(SYS_lchown), DENY(SYS_utime),
		DENY(SYS_utimes), DENY(SYS_futimesat),
#endif
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		sizeof(filter) / sizeof(*filter),
		(struct sock_filter *)filter,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

int callfilter_install(void)
{
	errno = ENOSYS;
	return -1;
}

#endif
