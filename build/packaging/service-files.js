// @ts-check
// What the service needs to run by itself: its built files, and the packages that they load.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import path from 'node:path'

/** Programs of development, which no package holds. */
const left = /^(demo-launcher|check-electron)\.js$/
/** A file beside the one that names it, as an import or as the program of a thread. */
const beside = /["'`]\.\/([\w.-]+\.js)["'`]/g
/** A package, as bundles name it. */
const named = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]+)?"/g

/**
 * The built files that the service is made of, and the packages they load.
 * @param {string} out folder of the built programs
 * @param {string} [entry]
 */
export async function builtFiles(out, entry = 'service.js') {
  const files = new Set([entry])
  const packages = new Set()
  for (const file of files) {
    const text = await readFile(path.join(out, file), 'utf8')
    for (const [, name = ''] of text.matchAll(beside))
      if (!left.test(name) && existsSync(path.join(out, name))) files.add(name)
    for (const [, name = ''] of text.matchAll(named))
      if (!name.startsWith('node:') && !builtinModules.includes(name)) packages.add(name)
  }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

/**
 * Folders of packages with all that they need, relative to the project.
 * @param {string} root the project's folder
 * @param {readonly string[]} packages
 * @param {readonly string[]} known packages that may be left out, where something only sometimes loads them
 */
export async function packageFolders(root, packages, known) {
  /** @type {Set<string>} */
  const folders = new Set()
  /** @param {string} name @param {string} from folder of who needs it */
  const find = (name, from) => {
    for (let at = from; ; at = path.dirname(at)) {
      const folder = path.join(at, 'node_modules', name)
      if (existsSync(path.join(root, folder, 'package.json'))) return folder
      if (at === '.') return null
    }
  }
  const waiting = packages.map((name) => ({ name, from: '.', optional: known.includes(name) }))
  for (const { name, from, optional } of waiting) {
    const folder = find(name, from)
    if (folder === null) {
      if (optional) continue
      throw new Error(`The package ${name} is missing. Run npm ci.`)
    }
    if (folders.has(folder)) continue
    folders.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      await readFile(path.join(root, folder, 'package.json'), 'utf8'),
    )
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      waiting.push({ name: needed, from: folder, optional: needed in optionalDependencies })
  }
  return [...folders].sort()
}
