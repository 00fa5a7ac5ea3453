import { schedules } from './de/schedules.ts'
import { access } from './de/access.ts'
import { account } from './de/account.ts'
import { activity } from './de/activity.ts'
import { addedServers } from './de/added-servers.ts'
import { archives } from './de/archives.ts'
import { backupTargets } from './de/backup-targets.ts'
import { backups } from './de/backups.ts'
import { builds } from './de/builds.ts'
import { console } from './de/console.ts'
import { crash } from './de/crash.ts'
import { adopt } from './de/adopt.ts'
import { create } from './de/create.ts'
import { diagnostics } from './de/diagnostics.ts'
import { editor } from './de/editor.ts'
import { hosts } from './de/hosts.ts'
import { sftp } from './de/sftp.ts'
import { hosting } from './de/hosting.ts'
import { signIn } from './de/sign-in.ts'
import { tree } from './de/tree.ts'
import { extensionProblems } from './de/extension-problems.ts'
import { extensions } from './de/extensions.ts'
import { modpacks } from './de/modpacks.ts'
import { finding } from './de/finding.ts'
import { files } from './de/files.ts'
import { shortcuts } from './de/shortcuts.ts'
import { firstRun } from './de/first-run.ts'
import { frame } from './de/frame.ts'
import { palette } from './de/palette.ts'
import { glance } from './de/glance.ts'
import { google } from './de/google.ts'
import { externalEditor } from './de/external-editor.ts'
import { closing } from './de/closing.ts'
import { ownWindow } from './de/own-window.ts'
import { graphs } from './de/graphs.ts'
import { java } from './de/java.ts'
import { kinds } from './de/kinds.ts'
import { myAccount } from './de/my-account.ts'
import { power } from './de/power.ts'
import { strength } from './de/strength.ts'
import { machines } from './de/machines.ts'
import { localCopies } from './de/local-copies.ts'
import { relocate } from './de/relocate.ts'
import { moveIn } from './de/move-in.ts'
import { settingsTransfer } from './de/settings-transfer.ts'
import { nodes } from './de/nodes.ts'
import { notifications } from './de/notifications.ts'
import { later } from './de/later.ts'
import { places } from './de/places.ts'
import { players } from './de/players.ts'
import { problems } from './de/problems.ts'
import { sentences } from './de/sentences.ts'
import { promocodes } from './de/promocodes.ts'
import { rail } from './de/rail.ts'
import { openTo } from './de/open-to.ts'
import { refusals } from './de/refusals.ts'
import { properties } from './de/properties.ts'
import { proxy } from './de/proxy.ts'
import { overview } from './de/overview.ts'
import { server } from './de/server.ts'
import { service } from './de/service.ts'
import { settings } from './de/settings.ts'
import { software } from './de/software.ts'
import { transferList } from './de/transfer-list.ts'
import { transfers } from './de/transfers.ts'
import { updates } from './de/updates.ts'
import type { Translation } from './t.svelte.ts'

export const de = {
  ...frame,
  ...shortcuts,
  ...palette,
  ...problems,
  ...glance,
  ...nodes,
  ...notifications,
  ...later,
  ...places,
  ...players,
  ...account,
  ...hosts,
  ...sftp,
  ...hosting,
  ...signIn,
  ...access,
  ...schedules,
  ...activity,
  ...addedServers,
  ...archives,
  ...backups,
  ...backupTargets,
  ...myAccount,
  ...promocodes,
  ...power,
  ...strength,
  ...server,
  ...overview,
  ...service,
  ...settings,
  ...proxy,
  ...software,
  ...machines,
  ...localCopies,
  ...relocate,
  ...moveIn,
  ...properties,
  ...rail,
  ...openTo,
  ...builds,
  ...finding,
  ...console,
  ...crash,
  ...create,
  ...adopt,
  ...diagnostics,
  ...settingsTransfer,
  ...google,
  ...firstRun,
  ...graphs,
  ...externalEditor,
  ...closing,
  ...ownWindow,
  ...java,
  ...kinds,
  ...files,
  ...extensions,
  ...extensionProblems,
  ...modpacks,
  ...editor,
  ...tree,
  ...transfers,
  ...transferList,
  ...updates,
  ...sentences,
  ...refusals,
} satisfies Translation
