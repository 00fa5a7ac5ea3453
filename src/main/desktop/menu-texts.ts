/** Electron's own labels are English only. */
export interface MenuTexts {
  edit: string
  undo: string
  redo: string
  cut: string
  copy: string
  paste: string
  delete: string
  selectAll: string
  view: string
  resetZoom: string
  zoomIn: string
  zoomOut: string
  fullScreen: string
  window: string
  minimize: string
  zoom: string
  close: string
  front: string
  openInNewWindow: string
  putBack: string
  help: string
  diagnostics: string
  about: string
  settings: string
  services: string
  hide: string
  hideOthers: string
  unhide: string
  quit: string
}

const en: MenuTexts = {
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  delete: 'Delete',
  selectAll: 'Select All',
  view: 'View',
  resetZoom: 'Actual Size',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  fullScreen: 'Toggle Full Screen',
  window: 'Window',
  minimize: 'Minimize',
  zoom: 'Zoom',
  close: 'Close Window',
  front: 'Bring All to Front',
  openInNewWindow: 'Open in New Window',
  putBack: 'Move Back to First Window',
  help: 'Help',
  diagnostics: 'Diagnostics…',
  about: 'About Wheelhouse',
  settings: 'Settings…',
  services: 'Services',
  hide: 'Hide Wheelhouse',
  hideOthers: 'Hide Others',
  unhide: 'Show All',
  quit: 'Quit Wheelhouse',
}

const de: MenuTexts = {
  edit: 'Bearbeiten',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  cut: 'Ausschneiden',
  copy: 'Kopieren',
  paste: 'Einfügen',
  delete: 'Löschen',
  selectAll: 'Alles auswählen',
  view: 'Ansicht',
  resetZoom: 'Originalgröße',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fullScreen: 'Vollbild ein/aus',
  window: 'Fenster',
  minimize: 'Im Dock ablegen',
  zoom: 'Zoomen',
  close: 'Fenster schließen',
  front: 'Alle nach vorne bringen',
  openInNewWindow: 'In neuem Fenster öffnen',
  putBack: 'Ins erste Fenster zurückholen',
  help: 'Hilfe',
  diagnostics: 'Diagnose …',
  about: 'Über Wheelhouse',
  settings: 'Einstellungen …',
  services: 'Dienste',
  hide: 'Wheelhouse ausblenden',
  hideOthers: 'Andere ausblenden',
  unhide: 'Alle einblenden',
  quit: 'Wheelhouse beenden',
}

export const menuTexts = (locale: string): MenuTexts => (locale.startsWith('de') ? de : en)
