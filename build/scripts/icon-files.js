// @ts-check
// Every icon is made of one drawing, so that none is forgotten when it changes.
import { readFile } from 'node:fs/promises'
import { Resvg } from '@resvg/resvg-js'
import pngToIco from 'png-to-ico'
import { at } from './project.js'

/** Sides in pixels. What Linux's desktops look for. */
export const linuxSizes = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
/** What Windows takes from one file. */
export const windowsSizes = [16, 24, 32, 48, 64, 128, 256]
/** What macOS takes from one file, by the names of the format: of each size, and of each at twice the density. */
export const macSizes = /** @type {const} */ ({
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
})

/**
 * A drawing as a PNG.
 * @param {string} svg @param {number} side in pixels
 */
export const png = (svg, side) =>
  new Resvg(svg, { fitTo: { mode: 'width', value: side }, font: { loadSystemFonts: false } }).render().asPng()

/**
 * The wheel alone, in black: macOS colors it as its menu bar is.
 * @param {string} svg the icon
 */
export const templateOf = (svg) =>
  svg
    .replace(/<rect [^>]*\/>/, '')
    .replace(/<circle [^>]*r="38"[^>]*\/>/, '')
    .replaceAll('#f4faf5', '#000')
    .replace('viewBox="0 0 1024 1024"', 'viewBox="112 112 800 800"')

/** A dot that says there is something to read. */
const dot =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#d64545"/></svg>'

/**
 * All files that are made, by their paths in the project.
 * @returns {Promise<Map<string, Buffer | string>>}
 */
export async function iconFiles() {
  const svg = await readFile(at('build/icons/icon.svg'), 'utf8')
  /** @type {Map<string, Buffer | string>} */
  const files = new Map([['build/icons/icon.png', png(svg, 1024)]])
  for (const side of linuxSizes) files.set(`build/icons/linux/${side}x${side}.png`, png(svg, side))
  files.set('build/icons/icon.ico', await pngToIco(windowsSizes.map((side) => png(svg, side))))
  files.set('build/icons/icon.icns', icns(svg))
  files.set('src/main/desktop/tray/tray-pictures.ts', trayPictures(svg))
  return files
}

/** @param {string} svg @returns {Buffer} a head with the length of all, then each picture with its name and length */
function icns(svg) {
  const pictures = Object.entries(macSizes).map(([name, side]) => part(name, png(svg, side)))
  return part('icns', Buffer.concat(pictures))
}

/** @param {string} name of four letters @param {Buffer} content */
function part(name, content) {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32BE(content.length + head.length, 4)
  return Buffer.concat([head, content])
}

/** @param {string} svg */
function trayPictures(svg) {
  const template = templateOf(svg)
  /** @type {[name: string, what: string, picture: Buffer][]} */
  const pictures = [
    ['TRAY_ICON', 'The icon, 32×32 pixels.', png(svg, 32)],
    ['TRAY_TEMPLATE', 'The wheel alone, black, 16×16 pixels: macOS colors it.', png(template, 16)],
    ['TRAY_TEMPLATE_TWICE', 'The same for screens of twice the density.', png(template, 32)],
    ['UNREAD_DOT', 'A dot that says there is something to read, 16×16 pixels.', png(dot, 16)],
  ]
  const lines = pictures.map(
    ([name, what, picture]) =>
      `/** ${what} */\nexport const ${name} =\n  'data:image/png;base64,${picture.toString('base64')}'\n`,
  )
  return `// Made by \`npm run icons\` from build/icons/icon.svg.\n\n${lines.join('\n')}`
}
