import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { readSign } from '../worlds/logs/log-lines.ts'
import type { Software } from './software.ts'

/**
 * A script for Node in place of a game server, for tests and benchmarks: `WHEELHOUSE_SCRIPT=…/flood.ts` offers the
 * software `flood`. Null where no script is named.
 */
export function scriptSoftware(nodePath: string, script = process.env['WHEELHOUSE_SCRIPT']): Software | null {
  if (!script || !nodePath) return null
  const { name } = path.parse(script)
  return {
    id: name,
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    description: 'A script for tests, no Minecraft server.',
    versions: async () => [{ id: '1', recommended: true }],
    stopCommand: 'stop',
    maxPlayers: 0,
    readSign,
    async program(spec) {
      await mkdir(spec.folder, { recursive: true })
      return { file: nodePath, args: [script], cwd: spec.folder, env: {} }
    },
  }
}
