// @ts-check
import path from 'node:path'
import { flipFuses } from '@electron/fuses'
import { fuses } from './fuses.js'

/**
 * Flips the fuses of a packed program, before it is signed.
 * @param {import('app-builder-lib').AfterPackContext} context
 */
export default async function afterPack({ appOutDir, electronPlatformName, arch, packager }) {
  const { productFilename } = packager.appInfo
  const program =
    { darwin: `${productFilename}.app`, mas: `${productFilename}.app`, win32: `${productFilename}.exe` }[
      electronPlatformName
    ] ?? /** @type {import('app-builder-lib').LinuxPackager} */ (packager).executableName
  const arm64 = 3
  const universal = 4
  await flipFuses(path.join(appOutDir, program), {
    ...fuses,
    // Flipping breaks the signature without which an arm64 Mac starts nothing.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && [arm64, universal].includes(arch),
  })
}
