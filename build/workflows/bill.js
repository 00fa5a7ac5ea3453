// @ts-check
// What the program is made of, as CycloneDX: packages that lie beside it, and those that its bundler put into its own files.
import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { Plain, at, run } from '../scripts/project.js'

/** Of whose sources files are made that hold packages within them. Electron itself is what they run in. */
const ROOMS = ['src/renderer', 'src/preload', 'src/web/client']
const TESTED = /\.(test|fixture|setup)\.|fixture-/
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|@import\s+(?:url\()?)["']([^"'.][^"']*)["']/g

/**
 * Packages that sources name. @param {string} text @returns {string[]}
 */
export const packagesIn = (text) =>
  [...text.matchAll(IMPORT)].flatMap(([, from = '']) => {
    const [name] = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(from) ?? []
    return name === undefined || from.startsWith('node:') || isBuiltin(name) ? [] : [name]
  })

/** @param {string} root the project's folder @returns {Promise<string[]>} names of packages that are put into files of ours */
export async function inlinedPackages(root) {
  /** @type {Set<string>} */
  const names = new Set(['electron'])
  for (const room of ROOMS)
    for (const name of await readdir(path.join(root, room), { recursive: true })) {
      if (!/\.(ts|svelte|css)$/.test(name) || TESTED.test(name)) continue
      for (const one of packagesIn(await readFile(path.join(root, room, name), 'utf8'))) names.add(one)
    }
  return [...names].sort()
}

/**
 * @typedef {{ 'bom-ref': string, name: string, scope?: string, properties?: { name: string }[] }} Component
 * @typedef {{ components: Component[], dependencies: { ref: string, dependsOn?: string[] }[], metadata: { component: { 'bom-ref': string } } }} Bill
 */

/**
 * One list of all packages there are, without those that only build or test.
 * @param {Bill} all
 * @param {Bill} beside what is installed beside the program
 * @param {readonly string[]} inlined names of packages that are put into it, each with all that it needs
 * @returns {Bill}
 */
export function billOf(all, beside, inlined) {
  const needs = new Map(all.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
  const own = needs.get(all.metadata.component['bom-ref']) ?? []
  const kept = new Set(beside.components.map((component) => component['bom-ref']))
  const direct = new Set(own)
  const waiting = all.components
    .filter((component) => inlined.includes(component.name) && direct.has(component['bom-ref']))
    .map((component) => component['bom-ref'])
  for (const ref of waiting) {
    if (kept.has(ref)) continue
    kept.add(ref)
    waiting.push(...(needs.get(ref) ?? []))
  }
  const missing = inlined.filter(
    (name) => !all.components.some((component) => component.name === name && kept.has(component['bom-ref'])),
  )
  if (missing.length > 0)
    throw new Plain(`package.json does not name ${missing.join(', ')}, which the program holds.`)
  const components = all.components
    .filter((component) => kept.has(component['bom-ref']))
    // What npm knows to be for development is a part of the program here.
    .map((component) => ({
      ...component,
      scope: 'required',
      properties: (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development'),
    }))
  const rootRef = all.metadata.component['bom-ref']
  const dependencies = all.dependencies
    .filter(({ ref }) => ref === rootRef || kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
  return { ...all, components, dependencies }
}

/** @param {string[]} more @returns {Promise<Bill>} what npm says, by the lock file alone */
async function npmBill(more) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...more]
  const { code, output } = await run(npm, args, { quiet: true })
  const begin = output.indexOf('{')
  if (code !== 0 || begin < 0) throw new Plain(`npm could not list the packages: ${output.slice(0, 500)}`)
  return JSON.parse(output.slice(begin, output.lastIndexOf('}') + 1))
}

/** The list as a text. @returns {Promise<string>} */
export async function billText() {
  const bill = billOf(await npmBill([]), await npmBill(['--omit=dev']), await inlinedPackages(at()))
  return `${JSON.stringify(bill, null, 2)}\n`
}
