import { type MenuTexts, menuTexts } from './menu-texts.ts'

export type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'delete'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'reload'
  | 'toggleDevTools'
  | 'minimize'
  | 'zoom'
  | 'close'
  | 'front'

export type MenuAct = 'tear-off' | 'put-back' | 'settings' | 'help'

export type MenuEntry =
  | { kind: 'separator' }
  | { kind: 'role'; role: MenuRole; label?: string; shortcut?: string; hidden?: true }
  | { kind: 'act'; act: MenuAct; label: string; shortcut?: string }

export interface MenuPart {
  label: string
  role?: 'window' | 'help'
  entries: MenuEntry[]
}

const separator: MenuEntry = { kind: 'separator' }
const role = (name: MenuRole, label?: string): MenuEntry => ({
  ...{ kind: 'role', role: name },
  ...(label === undefined ? {} : { label }),
})

/** Visible on macOS; elsewhere hidden, just for shortcuts. No Ctrl+W: in a console it deletes a word. */
export function menuOf(platform: NodeJS.Platform, packaged: boolean, locale: string): MenuPart[] {
  const words = menuTexts(locale)
  const several: MenuEntry[] = [
    { kind: 'act', act: 'tear-off', label: words.openInNewWindow, shortcut: 'CmdOrCtrl+Shift+N' },
    { kind: 'act', act: 'put-back', label: words.putBack, shortcut: 'CmdOrCtrl+Shift+B' },
  ]
  const settings: MenuEntry = {
    ...{ kind: 'act', act: 'settings', label: words.settings, shortcut: 'CmdOrCtrl+,' },
  }
  const help: MenuEntry = { kind: 'act', act: 'help', label: words.diagnostics }
  const view = viewMenu(packaged, words)
  if (platform !== 'darwin')
    return [
      { label: 'Wheelhouse', entries: [settings, separator, role('quit', words.quit)] },
      editMenu(words),
      view,
      { label: words.window, entries: several },
      { label: words.help, entries: [help, role('about', words.about)] },
    ]
  const standing = [role('minimize', words.minimize), role('zoom', words.zoom), role('close', words.close)]
  return [
    programMenu(words, settings),
    editMenu(words),
    view,
    {
      label: words.window,
      role: 'window',
      entries: [...standing, separator, ...several, separator, role('front', words.front)],
    },
    // macOS adds its menu search here.
    {
      label: words.help,
      role: 'help',
      entries: [help],
    },
  ]
}

/** Electron uses one shortcut per entry: these cover keyboards where + needs Shift, and the numeric keypad. */
const zoomKeys = (
  [
    ['zoomIn', 'CmdOrCtrl+='],
    ['zoomIn', 'CmdOrCtrl+numadd'],
    ['zoomOut', 'CmdOrCtrl+numsub'],
    ['resetZoom', 'CmdOrCtrl+num0'],
  ] as const
).map(([name, shortcut]): MenuEntry => ({ kind: 'role', role: name, shortcut, hidden: true }))

function viewMenu(packaged: boolean, words: MenuTexts): MenuPart {
  return {
    label: words.view,
    entries: [
      role('resetZoom', words.resetZoom),
      role('zoomIn', words.zoomIn),
      role('zoomOut', words.zoomOut),
      ...zoomKeys,
      separator,
      role('togglefullscreen', words.fullScreen),
      ...(packaged ? [] : [role('reload'), role('toggleDevTools')]),
    ],
  }
}

function editMenu(words: MenuTexts): MenuPart {
  const entries = [
    ...[role('undo', words.undo), role('redo', words.redo), separator],
    ...[role('cut', words.cut), role('copy', words.copy), role('paste', words.paste)],
    ...[role('delete', words.delete), separator, role('selectAll', words.selectAll)],
  ]
  return { label: words.edit, entries }
}

function programMenu(words: MenuTexts, settings: MenuEntry): MenuPart {
  const entries = [
    ...[role('about', words.about), separator, settings, separator],
    ...[role('services', words.services), separator],
    ...[role('hide', words.hide), role('hideOthers', words.hideOthers), role('unhide', words.unhide)],
    ...[separator, role('quit', words.quit)],
  ]
  return { label: 'Wheelhouse', entries }
}
