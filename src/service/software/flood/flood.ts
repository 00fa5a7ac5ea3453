import { mkdir } from 'node:fs/promises'
import { readSign } from '../../worlds/log-lines.ts'
import { launcherFile } from '../launchers.ts'
import type { Software } from '../software.ts'

/** A program that prints as many lines as it is told to, for benches and tests. Null where it cannot be run. */
export function floodSoftware(nodePath: string, launcher?: string): Software | null {
  const file = launcherFile('flood', launcher)
  if (!file || !nodePath) return null
  return {
    id: 'flood',
    name: 'Flood',
    description: 'Prints lines on command. For benches and tests, no Minecraft server.',
    versions: async () => [{ id: '1', recommended: true }],
    stopCommand: 'stop',
    maxPlayers: 0,
    readSign,
    async program(spec) {
      await mkdir(spec.folder, { recursive: true })
      return { file: nodePath, args: [file], cwd: spec.folder, env: {} }
    },
  }
}
