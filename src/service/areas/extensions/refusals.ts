import { Refusal } from '../../refusal.ts'

/*
 * | code | status | when |
 * |---|---|---|
 * | `extensions.not-found` | 404 | no such extension is installed, or is in the catalog |
 * | `extensions.no-catalog` | 503 | the service asks no catalogs |
 * | `extensions.not-supported` | 409 | this software has no extensions |
 * | `extensions.busy` | 409 | something is being installed on this server |
 * | `extensions.not-running` | 409 | nothing is being installed that could be canceled |
 * | `extensions.name-taken` | 409 | another file has the name that this one would get |
 * | `extensions.nothing-to-undo` · `extensions.changed-since` | 409 | undo |
 * | `extensions.nothing-new` | 409 | all that was asked for is there |
 * | `extensions.cannot` | 409 | something of what was asked for cannot be had |
 * | `extensions.not-a-jar` | 502 | what was downloaded cannot be read |
 * | `extensions.canceled` | 499 | it was canceled |
 */

export const notInstalled = () =>
  new Refusal(
    404,
    'extensions.not-found',
    'This extension is no longer installed on the server. It may have been removed or renamed. Reload the list.',
  )

export const noCatalog = () =>
  new Refusal(
    503,
    'extensions.no-catalog',
    'This service is not connected to any catalog of extensions. You can still upload jars in the files of the server.',
  )

export const notSupported = () =>
  new Refusal(
    409,
    'extensions.not-supported',
    "This server's software loads neither plugins nor mods. Create a server with Paper or Fabric to use extensions.",
  )

export const busy = () =>
  new Refusal(
    409,
    'extensions.busy',
    'Extensions are being installed on this server right now. Wait until that is done, or cancel it, then try again.',
  )

export const oneWish = () =>
  new Refusal(422, 'request.invalid', 'Ask for one extension (`project`), or for all updates (`update=all`).')

export const notRunning = () =>
  new Refusal(409, 'extensions.not-running', 'Nothing is being installed on this server right now.')

export const nameTaken = (name: string) =>
  new Refusal(
    409,
    'extensions.name-taken',
    `Another file here is already called “${name}”. Rename or remove one of them in the files of the server, then try again.`,
  )

export const nothingToUndo = () =>
  new Refusal(409, 'extensions.nothing-to-undo', 'There is no change to undo on this server.')

export const nothingNew = () =>
  new Refusal(
    409,
    'extensions.nothing-new',
    'Nothing was installed: what was asked for is on the server already, in the version that was chosen.',
  )

export const tooManyWait = () =>
  new Refusal(
    409,
    'extensions.too-many-wait',
    'Too many changes wait for the next start of the server. Restart it, then make this one.',
  )

export const changedSince = () =>
  new Refusal(
    409,
    'extensions.changed-since',
    'The last change can no longer be undone: its files were changed or deleted since, or emptied from the trash. ' +
      'Install the versions you want instead.',
  )

export const cannot = (names: readonly string[]) =>
  new Refusal(
    409,
    'extensions.cannot',
    `Nothing was installed, because this can't be downloaded for this server: ${names.slice(0, 10).join(', ')}. ` +
      'Choose other versions, or leave it out.',
  )

export const notAJar = (name: string) =>
  new Refusal(
    502,
    'extensions.not-a-jar',
    `Nothing was installed, because what was downloaded for “${name}” is not a readable jar. Try again later, or choose another version.`,
  )

export const canceled = () =>
  new Refusal(499, 'extensions.canceled', 'The installation was canceled. Nothing was changed.')
