// Which CPUs of a server its clients use, and what follows from its shape and its costs in words.
import { counted, formatDurationNs, formatWhole } from '../../analysis/format';
import type { ServerValues } from '../../session/plausible-servers';

/** The number of busy threads of each core, by socket and by complex. */
export type CpusInUse = number[][][];

/**
 * Places clients as the model does: on the emptiest socket, in its emptiest complex. There, an idle
 * core comes before a busy core's second thread.
 */
export function cpusInUse(values: ServerValues, clients: number): CpusInUse {
  const { sockets, cores, threads, ofComplex } = shapeOf(values);
  const server = Array.from({ length: sockets }, () => complexesOf(cores, ofComplex));
  const used = Math.min(clients, sockets * cores * threads);
  for (let client = 0; client < used; client += 1) {
    const socket = emptiest(server, (complexes) => idleIn(complexes.flat(), threads));
    const complex = emptiest(socket, (busy) => idleIn(busy, threads));
    const core = complex.indexOf(Math.min(...complex));
    complex[core]! += 1;
  }
  return server;
}

const shapeOf = (values: ServerValues) => ({
  sockets: values.sockets!,
  cores: values.cores_per_socket!,
  threads: values.threads_per_core!,
  ofComplex: Math.min(values.cores_per_complex!, values.cores_per_socket!),
});

const complexesOf = (cores: number, ofComplex: number): number[][] =>
  Array.from({ length: Math.ceil(cores / ofComplex) }, (_, place) =>
    new Array<number>(Math.min(ofComplex, cores - place * ofComplex)).fill(0),
  );

const idleIn = (busy: readonly number[], threads: number) =>
  busy.reduce((idle, used) => idle + threads - used, 0);

/** Returns the first one with the most idle CPUs. */
const emptiest = <Place>(places: readonly Place[], idle: (place: Place) => number): Place =>
  places.reduce((best, place) => (idle(place) > idle(best) ? place : best));

/** 2 sockets × 8 cores × 2 threads = 32 CPUs */
export function shapeInWords(values: ServerValues): string {
  const { sockets, cores, threads } = shapeOf(values);
  const parts = [
    counted(sockets, 'socket'),
    counted(cores, 'core'),
    ...(threads > 1 ? [counted(threads, 'thread')] : []),
  ];
  return `${parts.join(' × ')} = ${counted(sockets * cores * threads, 'CPU')}`;
}

/** Describes how the clients share the CPUs. */
export function clientsInWords(values: ServerValues, clients: number): string {
  const { sockets, cores, threads } = shapeOf(values);
  const cpus = sockets * cores * threads;
  const slice = formatDurationNs(values.time_slice_ps! / 1000);
  if (clients > cpus)
    return `${formatWhole(clients)} clients share ${counted(cpus, 'CPU')}: they take turns of up to ${slice}.`;
  const idle = cpus - clients;
  const rest = idle === 0 ? '' : `; ${counted(idle, 'CPU is', 'CPUs are')} idle`;
  return `${clients === 1 ? 'The client has its own CPU' : 'Each client has its own CPU'}${rest}.`;
}

/** A cost that decides how much a contended latch costs. */
export interface MainCost {
  title: string;
  ns: number;
}

export function mainCosts(values: ServerValues): MainCost[] {
  const { sockets, cores, ofComplex } = shapeOf(values);
  const ns = (id: string) => values[id]! / 1000;
  const hasComplexes = cores > ofComplex;
  return [
    {
      title: `A cache line within ${hasComplexes ? 'an L3 cache' : 'a socket'}`,
      ns: ns('same_socket_transfer_ps'),
    },
    ...(hasComplexes
      ? [{ title: 'A cache line across L3 caches', ns: ns('cross_complex_transfer_ps') }]
      : []),
    ...(sockets > 1
      ? [
          {
            title: sockets === 2 ? 'A cache line from the other socket' : 'A cache line from another socket',
            ns: ns('cross_socket_transfer_ps'),
          },
        ]
      : []),
    { title: 'A context switch', ns: ns('context_switch_ps') },
  ];
}
