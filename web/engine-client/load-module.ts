// Loads the module of a compiled engine. If loading fails, names the file at fault.

type CreateEngine = (hooks: object) => Promise<unknown>;

interface Loading {
  createEngine: CreateEngine;
  /** URL of the module's WebAssembly file. */
  address: string;
  /** Called if the module aborts after loading. */
  onAbort: (reason: unknown) => void;
  hooks?: object;
}

/**
 * Rejects with an Error whose message names the WebAssembly file if that file is missing or
 * damaged.
 */
export async function loadModule({ createEngine, address, onAbort, hooks = {} }: Loading): Promise<unknown> {
  let isLoaded = false;
  let aborted: unknown = null;
  try {
    const module = await createEngine({
      ...hooks,
      onAbort: (reason: unknown) => {
        if (isLoaded) onAbort(reason);
        else aborted = reason;
      },
    });
    isLoaded = true;
    return module;
  } catch (error) {
    const isWhole = await isWebAssembly(address);
    throw new Error(isWhole ? abortedText(aborted ?? error) : `${fileAt(address)} is missing or damaged`);
  }
}

export const abortedText = (reason: unknown) => `aborted: ${String(reason)}`;

/**
 * The browser does not report why a file did not compile, so this function fetches the file again.
 */
async function isWebAssembly(address: string): Promise<boolean> {
  const response = await fetch(address).catch(() => null);
  const content = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
  return content !== null && WebAssembly.validate(content);
}

/** Returns the file's path within the page's folder, such as `assets/engine.wasm`. */
const fileAt = (address: string) => new URL(address).pathname.split('/').slice(-2).join('/');
