import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSign } from '../../worlds/logs/log-lines.ts'
import type { Software } from '../software.ts'

/** Newest first. All tested: join, chat, kick, saving. */
const VERSIONS = ['1.21.4', '1.21.1', '1.20.6', '1.20.4', '1.19.4', '1.18.2', '1.16.5', '1.12.2', '1.8.8']
const RECOMMENDED = '1.21.4'

/** flying-squid needs no Java and no download. Null without a Node executable or if not shipped. */
export function demoSoftware(nodePath: string): Software | null {
  const file = launcherFile()
  if (!file || !nodePath || !isInstalled()) return null
  return {
    id: 'demo',
    name: 'Demo',
    description: 'Starts in a second, without Java. For trying things out.',
    versions: async () => VERSIONS.map((id) => (id === RECOMMENDED ? { id, recommended: true } : { id })),
    stopCommand: 'stop',
    maxPlayers: 20,
    isOffline: true,
    readSign,
    async program(spec) {
      await mkdir(spec.folder, { recursive: true })
      const settings = {
        host: spec.host,
        port: spec.port,
        version: spec.software.version,
        name: spec.name,
        maxPlayers: 20,
      }
      return {
        file: nodePath,
        args: [
          `--max-old-space-size=${spec.memoryMb}`,
          // Owners can't act on warnings of its libraries.
          '--no-deprecation',
          '--disable-warning=ExperimentalWarning',
          file,
          JSON.stringify(settings),
        ],
        cwd: spec.folder,
        env: {},
        reads: [nodePath, codeOf(file), packages()].filter((one) => one !== null),
      }
    },
  }
}

/** From the source, it imports from other folders of it. */
const codeOf = (file: string): string =>
  file.endsWith('.ts') ? path.resolve(path.dirname(file), '../../..') : path.dirname(file)

/** The folder of its packages. */
function packages(): string | null {
  const file = createRequire(import.meta.url).resolve('flying-squid')
  const at = file.lastIndexOf(`${path.sep}node_modules${path.sep}`)
  return at < 0 ? null : path.join(file.slice(0, at), 'node_modules')
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('flying-squid')
    return true
  } catch {
    return false
  }
}

/** Built next to the service, of which this file may be a chunk. Null if not shipped. */
function launcherFile(): string | null {
  const files = ['./launcher.ts', './demo-launcher.js', '../demo-launcher.js']
  return (
    files.map((file) => fileURLToPath(new URL(file, import.meta.url))).find((file) => existsSync(file)) ??
    null
  )
}
