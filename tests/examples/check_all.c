/* Runs check_proof.c on many certificates, each in a process of its own: 0.jsonl, 1.jsonl ... of a folder. */
#define main check_one
#include "../../examples/check_proof.c"
#undef main
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    for (int number = 0; argc == 3 && number < atoi(argv[2]); number++) {
        char path[4096];
        int status = -1;
        snprintf(path, sizeof path, "%s/%d.jsonl", argv[1], number);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) exit(freopen(path, "r", stdin) ? check_one() : 2);
        waitpid(child, &status, 0);
        printf("code %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
    return 0;
}
