import path from 'node:path'
import { diskFullRefusal } from '../base/computer-limits.ts'
import { asRefusal } from '../files/names/refusals.ts'
import type { PackRecord } from './pack-record.ts'
import type { InstallPorts } from '../software/software.ts'
import { requireRoomFor } from '../software/installs/staged-files.ts'
import type { PackChange } from './change-words.ts'
import type { SettleContext } from './settle.ts'

export async function preparePack(
  pack: PackChange,
  { serverId, files, records, copies }: SettleContext,
  ports: InstallPorts,
): Promise<PackRecord> {
  const staged = records.next(serverId)?.staged
  if (staged === undefined) throw new Error('nothing was staged for the software of a modpack')
  const folder = path.join(files.staging, staged)
  try {
    const brought = await pack.prepare(folder, copies.pack, ports)
    requireRoomFor(folder, files.root)
    return brought
  } catch (error) {
    ports.signal.throwIfAborted()
    throw diskFullRefusal(error) ?? asRefusal(error, '')
  }
}
