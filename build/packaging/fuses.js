// @ts-check
import { FuseV1Options, FuseVersion } from '@electron/fuses'

/**
 * Every fuse, stated. A fuse that a newer Electron brings and that stands not here stops the packing.
 * @type {import('@electron/fuses').FuseConfig}
 */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Nobody runs other programs under our name: the service is a utilityProcess.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  // What was packed is what runs.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: WebAssembly as fast as in Chromium.
  [FuseV1Options.WasmTrapHandlers]: true,
}
