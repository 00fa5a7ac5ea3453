import type { Values } from '../../../contract/messages/message.ts'
import type { PartId } from '../../../contract/messages/refusals/index.ts'
import { refusal, type Refusal } from '../../base/refusal.ts'
import type { RemoteFile } from '../catalogue.ts'

/** A name from a catalogue, as it may stand in a sentence. */
// eslint-disable-next-line no-control-regex -- these are what must not be in one
const named = ({ name }: RemoteFile) => name.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 100)

const hostOf = ({ url }: RemoteFile) => (URL.canParse(url) ? new URL(url).host : 'its address')

/** Why a file did not come: a part of a sentence, with what stands in it. */
export interface Reason {
  part: PartId
  values?: Values
}

/** 502: it did not come. `kept` says that the next try goes on from there. */
export function downloadFailed(
  file: RemoteFile,
  { part, values }: Reason,
  { tries = 1, kept = false }: { tries?: number; kept?: boolean } = {},
): Refusal {
  const all = { ...values, file: named(file), host: hostOf(file), reason: part }
  if (kept) return refusal(502, 'software.download-failed.kept', { ...all, times: tries })
  if (tries > 1) return refusal(502, 'software.download-failed.tried', { ...all, times: tries })
  return refusal(502, 'software.download-failed', all)
}

/** 502: what came is another file than the catalogue speaks of, and a second one was too. */
export const wrongChecksum = (file: RemoteFile): Refusal =>
  refusal(502, 'software.download-wrong', { file: named(file), host: hostOf(file) })

/** 422: larger than is fetched. Bytes. */
export const tooLarge = (file: RemoteFile, bytes: number, mostBytes: number): Refusal =>
  refusal(422, 'software.download-too-large', { file: named(file), bytes, most: mostBytes })

/** 507: there is no room. `needed` still has to come, `spare` stays free. All in bytes. */
export const noRoom = (
  file: RemoteFile,
  { needed, free, spare }: { needed: number; free: number; spare: number },
): Refusal =>
  refusal(507, 'software.disk-full', { file: named(file), needed, spare, free: Math.max(0, free) })

/** 500: what is kept of it cannot be read. */
export const keptUnreadable = (file: RemoteFile): Refusal =>
  refusal(500, 'software.download-unreadable', { file: named(file) })
