// @ts-check
import path from 'node:path'
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js'
import afterPack from './after-pack.js'

/**
 * Does what is always done after packing, and writes the menu entry beside the folder that was packed: as packages of Linux get
 * it, which are not made in tests.
 * @param {import('app-builder-lib').AfterPackContext} context
 */
export default async function afterPackInTests(context) {
  await afterPack(context)
  const { packager, outDir } = context
  const helper = new LinuxTargetHelper(/** @type {import('app-builder-lib').LinuxPackager} */ (packager))
  const name = `${helper.getDesktopFileName()}.desktop`
  await helper.writeDesktopEntry(packager.platformSpecificBuildOptions, undefined, path.join(outDir, name))
}
