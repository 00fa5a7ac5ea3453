import type { TargetBackup } from '../../../../contract/areas/backup-targets.ts'

export interface ServerBackups {
  id: string
  name: string
  isHere: boolean
  /** Newest first. */
  backups: readonly TargetBackup[]
}

const timeOf = ({ createdAt }: TargetBackup): number => (createdAt ? Date.parse(createdAt) : 0)

/** Backups by their servers, which have the name of the newest; servers with the newest backups first. */
export function byServer(backups: readonly TargetBackup[]): ServerBackups[] {
  const newestFirst = backups.toSorted((one, other) => timeOf(other) - timeOf(one))
  return [...Map.groupBy(newestFirst, ({ serverId }) => serverId)].map(([id, all]) => ({
    id,
    name: all.find(({ serverName }) => serverName.trim() !== '')?.serverName ?? id,
    isHere: all.some(({ isHere }) => isHere === true),
    backups: all,
  }))
}
