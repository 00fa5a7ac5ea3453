import type * as Electron from 'electron'

/** A picture; tests look at what it was made of. */
export class StandInImage {
  readonly address: string
  readonly more: Parameters<Electron.NativeImage['addRepresentation']>[0][] = []
  template = false
  constructor(address: string) {
    this.address = address
  }
  addRepresentation(options: Parameters<Electron.NativeImage['addRepresentation']>[0]): void {
    this.more.push(options)
  }
  setTemplateImage(template: boolean): void {
    this.template = template
  }
  isEmpty(): boolean {
    return !this.address.startsWith('data:image/png;base64,')
  }
}
export const heldImage = (image: StandInImage) =>
  image satisfies Pick<Electron.NativeImage, 'addRepresentation' | 'setTemplateImage' | 'isEmpty'>
