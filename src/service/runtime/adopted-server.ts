import type { PartId } from '../../contract/messages/refusals/index.ts'
import { refusal } from '../../host/refusal.ts'
import type { Software } from '../software/software.ts'
import { readSign } from '../worlds/logs/log-lines.ts'

/** What runs in a container that others made: known software, or none of ours, which it brings itself. */
export function adoptedSoftware(id: string, software: Software | null): Software {
  const program: Software['program'] = ({ folder }) =>
    Promise.resolve({ file: '', args: [], cwd: folder, env: {} })
  if (!software)
    return {
      ...{ id, name: id, description: '', versions: () => Promise.resolve([]), program },
      ...{ stopCommand: 'stop', maxPlayers: 0, readSign },
    }
  const { installation: _, ...known } = software
  return { ...known, program }
}

const DECIDED: ReadonlySet<PartId> = new Set([
  'change-its-software',
  'install-the-modpack',
  'reset-it',
  'change-its-port',
  'accept-the-license',
])

/** True if it may run meanwhile. Throws 409 `adopted.decides`, `adopted.copy`. */
export function requireDecided(container: string, then: PartId): boolean {
  if (then === 'duplicate-it') throw refusal(409, 'adopted.copy')
  if (DECIDED.has(then)) throw decides(container)
  return then === 'delete-it'
}

export const decides = (container: string) => refusal(409, 'adopted.decides', { container })
