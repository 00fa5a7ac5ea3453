import { Refusal } from '../../refusal.ts'
import type { RemoteFile } from '../catalogue.ts'
import { bytesInWords } from './bytes.ts'

/** A name from a catalogue, as it may stand in a sentence. */
// eslint-disable-next-line no-control-regex -- these are what must not be in one
const named = ({ name }: RemoteFile) => `"${name.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 100)}"`

const hostOf = ({ url }: RemoteFile) => (URL.canParse(url) ? new URL(url).host : 'its address')

/** 502: it did not come. `reason` is a part of a sentence; `kept` says that the next try goes on from there. */
export function downloadFailed(file: RemoteFile, reason: string, kept = false): Refusal {
  const next = kept ? 'What has arrived is kept: try again to continue.' : 'Try again later.'
  return new Refusal(
    502,
    'software.download-failed',
    `${named(file)} couldn't be downloaded from ${hostOf(file)}: ${reason}. ${next}`,
  )
}

/** 502: what came is another file than the catalogue speaks of, and a second one was too. */
export const wrongChecksum = (file: RemoteFile): Refusal =>
  new Refusal(
    502,
    'software.download-wrong',
    `${named(file)} from ${hostOf(file)} isn't the file its catalog lists: its size or checksum differed twice. ` +
      'It was deleted, and nothing was changed. Try again later, or choose another version.',
  )

/** 422: larger than is fetched. Bytes. */
export const tooLarge = (file: RemoteFile, bytes: number, mostBytes: number): Refusal =>
  new Refusal(
    422,
    'software.download-too-large',
    `${named(file)} is ${bytesInWords(bytes)} in size, and files larger than ${bytesInWords(mostBytes)} are not downloaded. Choose another version.`,
  )

/** 507: there is no room. `needed` still has to come, `spare` stays free. All in bytes. */
export const noRoom = (
  file: RemoteFile,
  { needed, free, spare }: { needed: number; free: number; spare: number },
): Refusal =>
  new Refusal(
    507,
    'software.disk-full',
    `There isn't enough space on the service's disk for ${named(file)}: it needs ${bytesInWords(needed)}, with ` +
      `${bytesInWords(spare)} to spare, and ${bytesInWords(Math.max(0, free))} are free. Free up space, then try again.`,
  )

/** 500: what is kept of it cannot be read. */
export const keptUnreadable = (file: RemoteFile): Refusal =>
  new Refusal(
    500,
    'software.download-unreadable',
    `The copy of ${named(file)} that is kept here can't be read. Check the disk of the service, then try again.`,
  )
