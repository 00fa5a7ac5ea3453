import type { CatalogAddresses } from '../../hosts/hosts.ts'
import type { DesktopLack } from '../../contract/bridge/desktop-calls.ts'
import type { AppInfo } from '../../contract/bridge/values.ts'
import type { SecretStore } from '../accounts/secret-store.ts'
import type { BackgroundUnit } from '../local/background/system-unit.ts'
import type { ServiceLauncher } from '../local/service-launcher.ts'
import type { AutostartPort } from '../desktop/autostart.ts'
import type { SystemFiles } from '../desktop/file-dialogs.ts'
import type { Log } from '../logging/log.ts'
import type { UpdatesPort } from '../updates/update-engine.ts'

export interface Ports {
  /** Data folder; nothing else writes there. */
  dataDir: string
  version: string
  way: AppInfo['way']
  local: AppInfo['local']
  /** Node executable for server software written for Node; null if there is none. */
  nodePath: string | null
  secrets: SecretStore
  launcher: ServiceLauncher
  log: Log
  downloadsFolder?: string
  /** Opens https, or http to a service on this computer, in the browser. */
  openExternal: (url: string) => Promise<void>
  /** PAC-style result: `PROXY host:8080; DIRECT`. By default from the environment. */
  resolveProxy?: (address: string) => Promise<string>
  /** Of plugins and mods, for servers at hosts; none by default. */
  catalogs?: CatalogAddresses | null
  updates?: UpdatesPort
  autostart?: AutostartPort | null
  /** Missing desktop features, such as a tray on some Linux desktops. Never rejects. */
  desktopLacks?: () => Promise<DesktopLack[]>
  crashFolder?: string
  /** Runs the local service without the panel; none in a browser or from source. */
  background?: BackgroundUnit | null
  systemFiles?: SystemFiles | null
  /** Milliseconds since 1970. */
  now: () => number
}
