import { Refusal } from '../refusal.ts'

/*
 * | code | status | when |
 * |---|---|---|
 * | `modpacks.no-catalog` | 503 | the service asks no catalogs |
 * | `modpacks.not-found` | 404 | there is no such pack, or no longer |
 * | `modpacks.none` | 409 | the server has no pack |
 * | `modpacks.nothing-wanted` | 409 | nothing was named, and the server waits for no pack |
 * | `modpacks.one-wish` | 422 | neither a version nor a file was named, or both |
 * | `modpacks.broken` | 422 | the file is no pack, or one that cannot be read |
 * | `modpacks.unsafe` | 422 | the pack leads out of the server's folder, or to where nothing is fetched from |
 * | `modpacks.too-large` | 422 | the pack has more than any has |
 * | `modpacks.software` | 422 | the pack asks for software that is not offered here |
 * | `modpacks.needs-internet` | 422 | the pack lists files to fetch, and the service fetches none |
 * | `modpacks.changed` | 409 | somebody edits what is about to be replaced or removed (`changes/touched-files.ts`) |
 * | `modpacks.file-wrong` | 502 | a file of the pack is another one than the pack says |
 * | `modpacks.not-installed` | 409 | the pack the server was created from is not installed yet |
 */

export const noCatalog = () =>
  new Refusal(
    503,
    'modpacks.no-catalog',
    'This service is not connected to any catalog of modpacks. Ask whoever runs it to turn its catalogs on.',
  )

export const notFound = () =>
  new Refusal(
    404,
    'modpacks.not-found',
    'Modrinth has no such modpack, or no longer offers it. Search for it again.',
  )

export const none = () =>
  new Refusal(409, 'modpacks.none', 'This server has no modpack. Install one to see what players need.')

export const nothingWanted = () =>
  new Refusal(
    409,
    'modpacks.nothing-wanted',
    'This server is not waiting for a modpack. Look at its mods to see what is installed now, or choose a modpack to install.',
  )

export const oneWish = () => {
  const message = 'Name either a version of a modpack or a .mrpack file.'
  return new Refusal(422, 'modpacks.one-wish', message, { fields: { versionId: [message] } })
}

/** `reason` is a part of a sentence. */
export const broken = (reason: string) =>
  new Refusal(
    422,
    'modpacks.broken',
    `This modpack can't be read: ${reason}. Nothing was changed. Download it again, or choose another version.`,
  )

/** `reason` is a part of a sentence. */
export const unsafe = (reason: string) =>
  new Refusal(
    422,
    'modpacks.unsafe',
    `This modpack isn't installed because it isn't safe: ${reason}. Nothing was changed. Choose another modpack, and tell its author.`,
  )

/** `reason` is a part of a sentence. */
export const tooLarge = (reason: string) =>
  new Refusal(
    422,
    'modpacks.too-large',
    `This modpack is too large: ${reason}. Nothing was changed. Choose another modpack.`,
  )

export const noSoftware = (wants: string) =>
  new Refusal(
    422,
    'modpacks.software',
    `This modpack needs ${wants}, which this service doesn't offer. Choose another version of the modpack.`,
  )

export const needsInternet = (name: string) =>
  new Refusal(
    422,
    'modpacks.needs-internet',
    `The modpack ${JSON.stringify(name)} lists files to download from the internet, and this service doesn't download any. Ask whoever runs the service to turn on its catalogs, or choose a modpack that contains all of its files.`,
  )

export const fileWrong = (path: string) =>
  new Refusal(
    502,
    'modpacks.file-wrong',
    `${JSON.stringify(path)} isn't the file that the modpack lists: its checksum differs. Nothing was changed. Try again later, or choose another version.`,
  )

export const notInstalled = (name: string) =>
  new Refusal(
    409,
    'modpacks.not-installed',
    `The modpack ${name} isn't installed on this server yet. Open the server's mods and choose Try again, or delete the server.`,
  )
