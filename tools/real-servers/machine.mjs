// Describes the machine of a measurement.
import { availableParallelism, cpus, release, totalmem } from 'node:os';

const MIB = 2 ** 20;

export const thisMachine = () => ({
  cpu_model: cpus()[0]?.model.trim() ?? '',
  cores: availableParallelism(),
  memory_mib: Math.round(totalmem() / MIB),
  kernel: release(),
});
