import { schedules } from './en/schedules.ts'
import { access } from './en/access.ts'
import { account } from './en/account.ts'
import { activity } from './en/activity.ts'
import { addedServers } from './en/added-servers.ts'
import { archives } from './en/archives.ts'
import { backupTargets } from './en/backup-targets.ts'
import { backups } from './en/backups.ts'
import { builds } from './en/builds.ts'
import { console } from './en/console.ts'
import { crash } from './en/crash.ts'
import { adopt } from './en/adopt.ts'
import { create } from './en/create.ts'
import { diagnostics } from './en/diagnostics.ts'
import { editor } from './en/editor.ts'
import { hosts } from './en/hosts.ts'
import { sftp } from './en/sftp.ts'
import { hosting } from './en/hosting.ts'
import { signIn } from './en/sign-in.ts'
import { tree } from './en/tree.ts'
import { extensionProblems } from './en/extension-problems.ts'
import { extensions } from './en/extensions.ts'
import { modpacks } from './en/modpacks.ts'
import { finding } from './en/finding.ts'
import { files } from './en/files.ts'
import { shortcuts } from './en/shortcuts.ts'
import { firstRun } from './en/first-run.ts'
import { frame } from './en/frame.ts'
import { palette } from './en/palette.ts'
import { glance } from './en/glance.ts'
import { google } from './en/google.ts'
import { externalEditor } from './en/external-editor.ts'
import { closing } from './en/closing.ts'
import { ownWindow } from './en/own-window.ts'
import { graphs } from './en/graphs.ts'
import { java } from './en/java.ts'
import { kinds } from './en/kinds.ts'
import { myAccount } from './en/my-account.ts'
import { power } from './en/power.ts'
import { strength } from './en/strength.ts'
import { machines } from './en/machines.ts'
import { localCopies } from './en/local-copies.ts'
import { relocate } from './en/relocate.ts'
import { moveIn } from './en/move-in.ts'
import { settingsTransfer } from './en/settings-transfer.ts'
import { nodes } from './en/nodes.ts'
import { notifications } from './en/notifications.ts'
import { later } from './en/later.ts'
import { places } from './en/places.ts'
import { players } from './en/players.ts'
import { problems } from './en/problems.ts'
import { promocodes } from './en/promocodes.ts'
import { rail } from './en/rail.ts'
import { openTo } from './en/open-to.ts'
import { properties } from './en/properties.ts'
import { proxy } from './en/proxy.ts'
import { overview } from './en/overview.ts'
import { server } from './en/server.ts'
import { service } from './en/service.ts'
import { settings } from './en/settings.ts'
import { software } from './en/software.ts'
import { transferList } from './en/transfer-list.ts'
import { transfers } from './en/transfers.ts'
import { updates } from './en/updates.ts'
import { sentences } from './sentences.ts'

/** All English texts; defines keys and placeholders for every language. Loaded in parts, see `loaded.ts`. */
export const en = {
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
} as const
