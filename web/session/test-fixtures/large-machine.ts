/** Changes the measured file `text` to a reader's own machine: 64 cores and a newer version. */
export function asOnALargeMachine(text: string): string {
  const document = JSON.parse(text) as { server: { version: string }; machine: { cores: number } };
  document.server.version = '9.9.1';
  document.machine.cores = 64;
  return JSON.stringify(document);
}
