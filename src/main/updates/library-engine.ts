import { statfs } from 'node:fs/promises'
import {
  type AppUpdater,
  BaseUpdater,
  CancellationToken,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
  RpmUpdater,
  type UpdateInfo,
} from 'electron-updater'
import type { Update, UpdateChannel } from '../../contract/bridge/update-values.ts'
import type { Log } from '../logging/log.ts'
import { AppImageInOneStep } from './appimage-in-one-step.ts'
import { plainNotes } from './plain-notes.ts'
import type { Received, UpdateEngine } from './update-engine.ts'
import type { Installer } from './where-updated.ts'

type Adapter = ConstructorParameters<typeof NsisUpdater>[1]

const updaters = {
  nsis: (app) => new NsisUpdater(undefined, app),
  mac: (app) => new MacUpdater(undefined, app),
  appimage: (app) => new AppImageInOneStep(undefined, app),
  deb: (app) => new DebUpdater(undefined, app),
  rpm: (app) => new RpmUpdater(undefined, app),
} satisfies Record<Installer, (app: Adapter) => AppUpdater>

export const updaterFor = (installer: Installer, app?: Adapter): AppUpdater => updaters[installer](app)

/** Stable releases are in the feed of `beta`, too. */
const FEEDS: Record<UpdateChannel, string> = { stable: 'latest', beta: 'beta' }
/** The download is copied once, so it needs twice its size. */
const COPIES = 2

export interface LibraryEngineOptions {
  updater: AppUpdater
  installer: Installer
  cacheFolder: string
  log: Log
  /** macOS: Squirrel must receive the download before installing. */
  system?: SystemUpdater
  freeBytes?: (folder: string) => Promise<number>
}

/** Time for Squirrel to verify and unpack, in ms. */
const SYSTEM_MS = 10 * 60_000

export interface SystemUpdater {
  on(event: 'update-downloaded', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'update-downloaded', listener: () => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export class LibraryEngine implements UpdateEngine {
  readonly installs: UpdateEngine['installs']
  readonly #updater: AppUpdater
  readonly #options: LibraryEngineOptions
  #found: Update | null = null
  /** The library reuses a pending download, even a canceled one, so wait for its end. */
  #downloaded: Promise<unknown> = Promise.resolve()

  constructor(options: LibraryEngineOptions) {
    const { updater, installer } = options
    this.#options = options
    this.#updater = updater
    this.installs = installer === 'deb' || installer === 'rpm' ? 'with-password' : 'quietly'
    updater.autoDownload = false
    // Squirrel must prepare the update before exit; elsewhere only `install` does.
    updater.autoInstallOnAppQuit = installer === 'mac'
    updater.disableWebInstaller = true
    updater.logger = loggerOf(options.log)
  }

  async check(channel: UpdateChannel): Promise<Update | null> {
    this.#found = null
    const updater = this.#updater
    updater.channel = FEEDS[channel]
    // Setting the channel enables downgrades; an older version could not read this one's data.
    updater.allowDowngrade = false
    updater.allowPrerelease = channel === 'beta'
    const result = await updater.checkForUpdates()
    if (!result?.isUpdateAvailable) return null
    this.#found = updateOf(result.updateInfo)
    return this.#found
  }

  async download(tell: (now: Received) => void, signal: AbortSignal): Promise<void> {
    await this.#downloaded
    signal.throwIfAborted()
    await this.#needRoom()
    const token = new CancellationToken()
    const cancel = () => token.cancel()
    const heard = ({ transferred, bytesPerSecond }: { transferred: number; bytesPerSecond: number }) =>
      tell({ received: transferred, rate: bytesPerSecond })
    signal.addEventListener('abort', cancel, { once: true })
    this.#updater.on('download-progress', heard)
    const taking = this.#options.system && takenBy(this.#options.system, signal)
    try {
      const download = this.#updater.downloadUpdate(token)
      this.#downloaded = download.catch(() => undefined)
      await download
      await taking?.taken()
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      taking?.stop()
      this.#updater.off('download-progress', heard)
    }
    signal.throwIfAborted()
  }

  install(restart: boolean): boolean {
    const updater = this.#updater
    if (!(updater instanceof BaseUpdater)) {
      // Squirrel installs on exit.
      if (restart) updater.quitAndInstall()
      return false
    }
    const failures: Error[] = []
    const heard = (error: Error) => void failures.push(error)
    updater.on('error', heard)
    try {
      if (!updater.install(true, restart)) throw failures[0] ?? new Error('The installer did not start.')
    } finally {
      updater.off('error', heard)
    }
    return restart && this.#options.installer === 'appimage'
  }

  async #needRoom(): Promise<void> {
    const size = this.#found?.size
    const { cacheFolder, freeBytes = free } = this.#options
    // If free space is unknown, the download will tell.
    if (!size || (await freeBytes(cacheFolder).catch(() => Infinity)) >= size * COPIES) return
    throw Object.assign(new Error('There is not enough room for the update.'), { code: 'ENOSPC' })
  }
}

/** Squirrel reports an update only after verifying and unpacking it. */
function takenBy(system: SystemUpdater, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const taken = () => resolve()
  const aborted = () => reject(signal.reason as Error)
  const late = () => reject(new Error('macOS did not take the update over in time'))
  let limit: NodeJS.Timeout | undefined
  system.on('update-downloaded', taken)
  system.on('error', reject)
  signal.addEventListener('abort', aborted, { once: true })
  // Avoids an unhandled rejection before `taken` is called.
  promise.catch(() => undefined)
  return {
    /** The time limit starts here: only now does it get the download. */
    taken(): Promise<void> {
      limit = setTimeout(late, SYSTEM_MS)
      return promise
    },
    stop() {
      clearTimeout(limit)
      system.off('update-downloaded', taken)
      system.off('error', reject)
      signal.removeEventListener('abort', aborted)
    },
  }
}

async function free(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const SHA512 = /^[A-Za-z0-9+/]{86}==$/

/** Throws if a file has no checksum or no https. */
function updateOf(info: UpdateInfo): Update {
  const { version, files, releaseNotes, releaseDate } = info
  for (const { url, sha512 } of files)
    if (!SHA512.test(sha512) || (/^[a-z]+:/i.test(url) && !/^https:/i.test(url)))
      throw Object.assign(new Error('A file of the update cannot be checked.'), {
        code: 'ERR_UPDATER_INVALID_UPDATE_INFO',
      })
  const size = files.find((file) => Number.isSafeInteger(file.size))?.size
  const at = Date.parse(releaseDate)
  return {
    version,
    notes: plainNotes(releaseNotes),
    releasedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
    size: size ?? null,
  }
}

function loggerOf(log: Log) {
  const words = (message: unknown) => String(message).slice(0, 2000)
  return {
    // Mostly noise at this level.
    info: (message: unknown) => log.debug('update', { said: words(message) }),
    warn: (message: unknown) => log.warn('update', { said: words(message) }),
    error: (message: unknown) => log.warn('update failed', { said: words(message) }),
  }
}
