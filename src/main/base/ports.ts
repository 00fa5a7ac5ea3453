import type { DesktopLack } from '../../contract/bridge/desktop-calls.ts'
import type { AppInfo } from '../../contract/bridge/values.ts'
import type { SecretStore } from '../accounts/secret-store.ts'
import type { BackgroundUnit } from '../local/background/background-unit.ts'
import type { ServiceLauncher } from '../local/service-launcher.ts'
import type { AutostartPort } from '../desktop/autostart.ts'
import type { SystemFiles } from '../desktop/system-files.ts'
import type { Log } from '../logging/log.ts'
import type { UpdatesPort } from '../updates/update-engine.ts'

/** What differs by where the panel runs, and what a test wants to hold. */
export interface Ports {
  /** Folder of this panel's files; nobody else writes there. */
  dataDir: string
  version: string
  way: AppInfo['way']
  /** Whether servers can run on this computer. */
  local: AppInfo['local']
  /** A Node executable for server software written for Node; null where there is none. */
  nodePath: string | null
  secrets: SecretStore
  launcher: ServiceLauncher
  log: Log
  /** Where downloads go; the folder `Downloads` of this user unless given. */
  downloadsFolder?: string
  /** Opens an address in the person's browser: one of https, or of a service on this computer. */
  openExternal: (url: string) => Promise<void>
  /** How the system reaches an address, as a PAC script answers: `PROXY host:8080; DIRECT`. By the environment unless given. */
  resolveProxy?: (address: string) => Promise<string>
  /** How the panel is updated; not at all in a browser. */
  updates?: UpdatesPort
  /** How the system starts the panel; not at all in a browser, or from its sources. */
  autostart?: AutostartPort | null
  /** What the desktop does not have, as some of Linux have no tray. Never rejects. */
  desktopLacks?: () => Promise<DesktopLack[]>
  /** Where crash dumps of the panel are kept; none are where it is served to a browser. */
  crashFolder?: string
  /** How the service of this computer runs without the panel; not at all in a browser, or from the sources. */
  background?: BackgroundUnit | null
  /** How the system opens files and shows them in their folders; not at all in a browser. */
  systemFiles?: SystemFiles | null
  /** Milliseconds since 1970. */
  now: () => number
}
