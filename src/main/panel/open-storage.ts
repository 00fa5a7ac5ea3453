import { homedir } from 'node:os'
import { join } from 'node:path'
import { forgetSetAside } from '../../host/set-aside.ts'
import { openCache } from '../views/cache/cache.ts'
import { openKeptTime } from '../views/cache/kept-time.ts'
import { DriftReports } from '../drift/drift-reports.ts'
import { PREVIOUS_VERSIONS, PreviousVersions } from '../areas/files/previous-versions.ts'
import { SignOutHooks } from '../base/sign-out-hooks.ts'
import { StartupNotices } from '../base/startup-notices.ts'
import type { Ports } from '../base/ports.ts'
import { KeptPowerLines } from '../accounts/power-lines.ts'
import { ProfileBook } from '../profiles/profile-book.ts'
import { ChoicesStore } from '../desktop/choices.ts'
import { SettingsStore } from '../databases/settings.ts'
import { problemsWith } from '../logging/to-problem.ts'
import { DownloadFolder } from '../transfers/download/download-folder.ts'
import { Windows } from '../base/windows.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import type { Log } from '../logging/log.ts'
import { Databases } from '../storage/databases.ts'
import { prepareFolder } from '../../host/data-folder.ts'
import { UPLOAD_BUFFER } from '../transfers/store/rows.ts'

/** Throws StartProblem if a database cannot be opened. */
export async function openStorage(ports: Ports, closing: AsyncDisposableStack) {
  const { dataDir, log, now, secrets } = ports
  closing.defer(() => secrets.close())
  const windows = new Windows()
  const { broadcast } = windows
  const notes = new StartupNotices((all) => broadcast('notes', all))
  const databases = toldDatabases(log, notes)
  const cache = await openCache(join(dataDir, 'cache.db'), databases)
  closing.defer(() => cache.close().catch(() => undefined))
  const driftReports = new DriftReports({
    ...{ cache, log, now },
    onMore: (connectionId) => broadcast('drift', { connectionId }),
  })
  closing.defer(() => driftReports.flush())
  const keptTime = await openKeptTime(cache, now)
  closing.defer(() => keptTime.stop())
  const former = new PreviousVersions({
    folder: join(dataDir, PREVIOUS_VERSIONS),
    cache,
    log,
    now,
    seen: keptTime.read,
  })
  const settings = new SettingsStore(cache, (all) => broadcast('settings', all))
  const choices = new ChoicesStore(
    cache,
    (all) => broadcast('desktop', all),
    ports.autostart ?? null,
    ports.background ?? null,
    ports.desktopLacks,
  )
  choices
    .renewAutostart()
    .catch((error: unknown) => log.warn('starting with the system could not be renewed', { error }))
  const downloads = new DownloadFolder(cache, ports.downloadsFolder ?? join(homedir(), 'Downloads'))
  const powerLines = new KeptPowerLines(cache)
  const profileBook = new ProfileBook(join(dataDir, 'profiles'))

  const forgetting = new SignOutHooks()
  // Set-aside files contain it, too, and cannot be wiped in part.
  forgetting.add(() => {
    forgetSetAside(dataDir)
    notes.dismissAll(['kept.cache-anew', 'kept.transfers-anew'])
  })
  forgetting.add((connectionId) => powerLines.set(connectionId, null))
  forgetting.add((connectionId) => cache.wipe(connectionId))
  forgetting.add((connectionId) => driftReports.clear(connectionId))
  forgetting.add((connectionId) => former.wipe(connectionId))
  const toProblem = problemsWith(log)
  const stored = { databases, cache, driftReports, former, settings, choices, downloads }
  return { ports, log, toProblem, windows, broadcast, notes, forgetting, profileBook, powerLines, ...stored }
}
export type PanelStorage = Awaited<ReturnType<typeof openStorage>>

const toldDatabases = (log: Log, notes: StartupNotices): Databases =>
  new Databases({
    onDeath: (error) => log.error('the thread of the databases died and is started again', { error }),
    onDamage(file) {
      log.error('a database cannot be read any more', { file })
      notes.tell(localized('kept.damaged', { file }))
    },
    onBegunAnew({ database, file }, aside, read) {
      log.error('a database could not be used and was begun anew', { file, aside })
      notes.tell(
        localized(`kept.${database}-anew`, { file, aside }),
        () => void read().catch(() => undefined),
      )
    },
  })

/** Creates the data folder. Throws StartProblem `folder-not-writable`. */
export const preparePanelFolder = (folder: string, more: readonly string[] = []): string =>
  prepareFolder(folder, 'cache.db', ['logs', UPLOAD_BUFFER, PREVIOUS_VERSIONS, ...more])
