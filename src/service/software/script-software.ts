import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { readSign } from '../worlds/logs/log-lines.ts'
import type { Software } from './software.ts'

/** For tests: `WHEELHOUSE_SCRIPT=…/flood.ts` adds the software `flood`, run by Node. */
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
      return {
        file: nodePath,
        args: [script],
        cwd: spec.folder,
        env: {},
        reads: [nodePath, path.dirname(script)],
      }
    },
  }
}
