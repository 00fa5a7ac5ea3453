import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import {
  AppImageUpdater,
  type AppUpdater,
  BaseUpdater,
  CancellationToken,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
  RpmUpdater,
  type UpdateInfo,
} from 'electron-updater'
import type { Update, UpdateChannel } from '../../contract/bridge/update-calls.ts'
import type { Log } from '../logging/log.ts'
import { plainNotes } from './plain-notes.ts'
import type { DownloadProgress, UpdateEngine } from './update-engine.ts'
import type { Installer } from './where-updated.ts'

/** The library deletes the old file first: a full disk or a kill in between would leave nothing to start. */
class AppImageInOneStep extends AppImageUpdater {
  protected override doInstall(): boolean {
    const target = process.env['APPIMAGE'] ?? ''
    const source = this.installerPath
    if (!isAbsolute(target) || !source) throw new Error('There is no downloaded update.')
    const fresh = `${target}.new`
    try {
      writeFileSync(fresh, readFileSync(source), { mode: 0o755, flush: true })
      renameSync(fresh, target)
    } catch (error) {
      rmSync(fresh, { force: true })
      throw error
    }
    rmSync(source, { force: true })
    // The caller starts the new version after exit: until then its mount folder is in use.
    return true
  }
}

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

export interface LibraryEngineOptions {
  updater: AppUpdater
  installer: Installer
  log: Log
}

export class LibraryEngine implements UpdateEngine {
  readonly installs: UpdateEngine['installs']
  readonly #updater: AppUpdater
  readonly #isAppImage: boolean
  /** The library reuses a pending download, even a canceled one, so wait for its end. */
  #downloaded: Promise<unknown> = Promise.resolve()

  constructor({ updater, installer, log }: LibraryEngineOptions) {
    this.#updater = updater
    this.#isAppImage = installer === 'appimage'
    this.installs = installer === 'deb' || installer === 'rpm' ? 'with-password' : 'quietly'
    updater.autoDownload = false
    // Squirrel must prepare the update before exit; elsewhere only `install` does.
    updater.autoInstallOnAppQuit = installer === 'mac'
    updater.disableWebInstaller = true
    updater.logger = loggerOf(log)
  }

  async check(channel: UpdateChannel): Promise<Update | null> {
    const updater = this.#updater
    updater.channel = FEEDS[channel]
    // Setting the channel enables downgrades; an older version could not read this one's data.
    updater.allowDowngrade = false
    updater.allowPrerelease = channel === 'beta'
    const result = await updater.checkForUpdates()
    return result?.isUpdateAvailable ? updateOf(result.updateInfo) : null
  }

  async download(tell: (now: DownloadProgress) => void, signal: AbortSignal): Promise<void> {
    await this.#downloaded
    signal.throwIfAborted()
    const token = new CancellationToken()
    const cancel = () => token.cancel()
    const heard = ({ transferred, bytesPerSecond }: { transferred: number; bytesPerSecond: number }) =>
      tell({ received: transferred, rate: bytesPerSecond })
    signal.addEventListener('abort', cancel, { once: true })
    this.#updater.on('download-progress', heard)
    try {
      const download = this.#updater.downloadUpdate(token)
      this.#downloaded = download.catch(() => undefined)
      await download
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
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
    return restart && this.#isAppImage
  }
}

const SHA512 = /^[A-Za-z0-9+/]{86}==$/

/** Throws if a file has no checksum or no https. */
function updateOf({ version, files, releaseNotes, releaseDate }: UpdateInfo): Update {
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
