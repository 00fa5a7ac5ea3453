import { expect, it } from 'vitest'
import { StandInImage } from '../../../../tests/doubles/electron/picture.ts'
import { trayPicture } from './tray-picture.ts'

const images = { createFromDataURL: (address: string) => new StandInImage(address) }
const pixels = (address: string) => Buffer.from(address.split(',')[1] ?? '', 'base64').readUInt32BE(16)

it('is the icon, and on macOS a template for screens of both densities', () => {
  const icon = trayPicture(images, 'linux')
  expect([icon.template, pixels(icon.address), icon.more]).toEqual([false, 32, []])
  const template = trayPicture(images, 'darwin')
  expect([template.template, pixels(template.address)]).toEqual([true, 16])
  expect(template.more.map(({ scaleFactor, dataURL }) => [scaleFactor, pixels(dataURL ?? '')])).toEqual([
    [2, 32],
  ])
})
