# The C twin of scheduling.py, compiled into each module that calls it.

cdef extern from *:
    """
    #if defined(__unix__) || defined(__APPLE__)
    #include <sched.h>
    #include <time.h>
    static inline double move_oracle_give_way(double since)
    {
        struct timespec clock;
        double now;
        if (clock_gettime(CLOCK_MONOTONIC, &clock)) return since;
        now = (double) clock.tv_sec + 1e-9 * (double) clock.tv_nsec;
        if (now - since < 0.0003) return since;
        sched_yield();
        return now;
    }
    #else
    #define move_oracle_give_way(since) (since)
    #endif
    """
    double give_way "move_oracle_give_way" (double since) noexcept nogil


cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals" () except -1
