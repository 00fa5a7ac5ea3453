import { TRAY_ICON, TRAY_TEMPLATE, TRAY_TEMPLATE_TWICE } from './tray-pictures.ts'

interface Picture {
  addRepresentation(options: { scaleFactor: number; dataURL: string }): void
  setTemplateImage(on: boolean): void
}

/** On macOS a template image, tinted like the menu bar. */
export function trayPicture<P extends Picture>(
  images: { createFromDataURL: (address: string) => P },
  platform: NodeJS.Platform,
): P {
  if (platform !== 'darwin') return images.createFromDataURL(TRAY_ICON)
  const picture = images.createFromDataURL(TRAY_TEMPLATE)
  picture.addRepresentation({ scaleFactor: 2, dataURL: TRAY_TEMPLATE_TWICE })
  picture.setTemplateImage(true)
  return picture
}
