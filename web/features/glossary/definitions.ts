// The definitions of the glossary, in one place: the panel shows them, and docs/reference/glossary.md repeats them
// (glossary-document.test.ts compares both). Loaded with the panel.
import type { GlossaryTerm } from '../../contract/glossary';

export const definitions: Record<GlossaryTerm, string> = {
  action:
    'A step from the bug report, such as an UPDATE of all rows, that you start during a run. A run spec can also start it at a fixed run time.',
  aio_slot:
    'An entry of an asynchronous I/O array in InnoDB; it holds one pending read or write. When all slots are in use, the next thread that posts a request waits for a free one.',
  background_worker:
    'A web worker that computes extra runs on the virtual server, such as those of a sweep or an explanation. The run on the page continues unchanged.',
  baseline_run:
    'The unchanged run that a what-if or a causal profile is compared with. It has the same design, clients and seeds, and no what-if.',
  binary_log:
    'The files in which MySQL records every committed change, for replication and recovery. When a file is full, the server rotates to a new one; expired files are purged.',
  branch:
    'One continuation of a run: going back in time and changing something starts a new branch. The earlier branch is stored, and two branches can be compared.',
  buffer_pool:
    'The memory in which InnoDB caches pages of tables, indexes and undo logs. A page that is not in it must be read from disk, and another page may have to leave first.',
  cache_line:
    'The 64-byte unit in which cores exchange memory. A core must own it alone to write to it, so a latch that many cores write to moves between them.',
  causal_profile:
    'A set of runs that shows, for each expensive latch, the throughput with shorter critical sections and with a free hand-off. It finds the latch that limits throughput, which need not be the one with the most waits.',
  checkpoint:
    'A copy of the virtual server at one time of the run. Going back restores the nearest earlier checkpoint and replays the run from there; it is not an InnoDB checkpoint.',
  client:
    'A sysbench thread with its own session: it sends a statement, waits for the answer and sends the next one. The number of clients limits how many transactions are active at once.',
  commit_group:
    'Transactions that commit together in the binary log, led by the first of them. Its followers sleep until the leader is done, so one flush to disk serves many.',
  convoy:
    'A queue at a latch that does not dissolve, because each thread that leaves it soon comes back. The hand-off, not the work, then sets the pace of the server.',
  critical_section:
    'The code that a thread runs while it holds a latch. The longer it takes, the fewer threads per second can pass.',
  design:
    'One variant for every knob: a complete way to lock. The original design has the bug, the fixed design does not.',
  futex:
    'A Linux system call that lets a thread sleep until another thread changes a word in memory and wakes it. A latch built on it needs the kernel only when a thread has to sleep or to be woken.',
  gtid: 'Global transaction identifier: the number that names a transaction on all servers of a replication setup. InnoDB stores it in the undo log header and later in a table, so that it survives a crash.',
  hand_off:
    'The time from the release of a latch until the next thread holds it. It includes moving the cache line and, if the next thread sleeps, waking it.',
  holder:
    'A thread that has acquired a latch and not released it yet. An X latch has one holder; an S latch may have many.',
  interval:
    'The run time that one line of sysbench output covers: one second on real threads, and usually less on the virtual server. The charts of a result file show averages per interval.',
  knob: 'A lock decision that the bug depends on, such as how a read finds its tablespace. You can change it during a run.',
  latch:
    'A short lock in memory that protects data of the server while threads read or change it. It is usually held for nanoseconds to microseconds and belongs to a thread, not to a transaction; MySQL calls its latches mutex and rw_lock.',
  lock_wait:
    'The time in which a transaction waits for a row or table lock that another transaction holds; performance_schema.data_lock_waits lists it. A latch wait is different: a thread spins or sleeps, mostly for microseconds, until another thread releases a latch.',
  p99: 'The 99th percentile of the latency: 99 of 100 transactions are faster. It shows waits that a mean hides.',
  phase:
    'The part of a run between two changes, such as a new design or an action. Each phase has its own throughput, measured once every client has finished the transaction it was in at the change.',
  purge:
    'The removal of old data that is no longer needed. InnoDB’s purge threads remove old row versions that no read view needs; the purge of binary logs deletes expired files.',
  read_view:
    'The snapshot that decides which row versions a transaction sees. While it is open, all versions that it may need stay, and a changed row is rebuilt from undo records.',
  run_spec:
    'The complete description of a run: bug, design, clients, parameters, timed actions and seed. On the virtual server the same spec gives the same run to the last byte.',
  s_and_x:
    'The two modes of a latch: many threads may hold S (shared) to read, and one thread alone holds X (exclusive) to write. Even an S latch is a word in memory that each reader writes to, so its cache line still moves between cores.',
  seed: 'The start value of all random numbers in a run. Runs with different seeds differ only by chance, so several seeds give a mean and an interval.',
  shard:
    'One of several latches that replace a single one; each protects a part of the data. Threads that use different shards do not wait for each other.',
  spin: 'To poll a latch in a loop instead of sleeping, because it may be free soon. Spinning saves the cost of a wake-up but uses a core, and each poll can disturb the cache line.',
  stall:
    'The time in which a core waits for a cache line that another core has. The thread counts as running in the operating system, so only the virtual server can measure it.',
  tablespace:
    'A file or a set of files in which InnoDB stores pages, identified by a number. By default each table has its own; undo logs have theirs.',
  throughput:
    'Work finished per second, here transactions per second (TPS). On the virtual server it is per second of virtual time.',
  undo_record:
    'The entry in an undo log that describes how to restore the previous version of a row. A rollback uses it, and so does a read view that must not see the change.',
  universal_scalability_law:
    'A formula for throughput by number of threads, with a share of serialized work (σ) and a cost per pair of threads (κ). The sweep fits it to the measurements and shows the thread count with the highest throughput.',
  variant:
    'One option of a knob, such as one global mutex or 68 shards. Most variants are those of a real MySQL or MariaDB version.',
  virtual_server:
    'A deterministic model of a many-core server with sockets, caches, futexes and a disk, on which the same engine code runs. Its time is virtual, so the same run spec gives the same run on every machine.',
  waiter:
    'A thread that wants a latch that another thread holds. It spins or sleeps until it acquires the latch.',
  what_if:
    'A change to a run on the virtual server that no real server allows, such as a shorter critical section or a free hand-off. It shows how much one cost matters.',
  workload_file:
    'A text that models a lock bug of your own: latches, words, and what each thread does with them. The page and the command line run it like the bugs of this page.',
  xa_transaction:
    'A transaction that is prepared and committed in two separate steps (XA PREPARE, XA COMMIT), so that several databases can commit together. Its prepared state must survive a crash.',
};
