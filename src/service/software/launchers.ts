import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The file of a launcher that is run as a program of its own. From source it lies in its software's folder; in a build
 * it is an entry of its own beside the service: `demo` → `demo/launcher.ts` or `demo-launcher.js`. Null where neither is.
 */
export function launcherFile(name: string, override: string | undefined): string | null {
  const files = override
    ? [override]
    : [
        fileURLToPath(new URL(`./${name}/launcher.ts`, import.meta.url)),
        fileURLToPath(new URL(`./${name}-launcher.js`, import.meta.url)),
        // A shared chunk lies one folder below the entries.
        fileURLToPath(new URL(`../${name}-launcher.js`, import.meta.url)),
      ]
  return files.find((file) => existsSync(file)) ?? null
}
