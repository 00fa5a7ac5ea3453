import { loaded } from '../base/loaded.ts'

export const software = loaded({
  'software.title': 'Software',
  'software.unread': 'The software couldn’t be loaded',
  'software.catalog-unread': 'The catalog couldn’t be loaded',
  'software.empty': 'This service offers no software to change to',
  'software.empty-text': 'Whoever runs the service decides what is offered.',
  'software.kind': 'Software',
  'software.version': 'Version',
  'software.build-pinned': '{build} (chosen)',
  'software.unknown': 'not given',
  'software.change': 'Change software or version',
  'software.plan': 'What will happen',
  'software.plan-unread': 'What the change would do couldn’t be found out',
  'software.plan-not-offered': 'This service doesn’t say beforehand what a change does.',
  'software.copy-first':
    'A copy of the server is made first: its world, settings, plugins and mods, {size} ({free} free). You can go back to it in one step.',
  'software.copy-first-unsized':
    'A copy of the server is made first: its world, settings, plugins and mods. You can go back to it in one step.',
  'software.older-version':
    'The world was last saved by {from}. {to} is older and can’t open it: worlds can’t go back to an older version.',
  'software.newer-version': 'The world is converted from {from} to {to} at the next start.',
  'software.plugins-stop': {
    one: '{count} plugin won’t run on {software}. It stays in its folder.',
    other: '{count} plugins won’t run on {software}. They stay in their folder.',
  },
  'software.mods-stop': {
    one: '{count} mod won’t run on {software}. It stays in its folder.',
    other: '{count} mods won’t run on {software}. They stay in their folder.',
  },
  'software.plugins-unfit': {
    one: '{count} plugin doesn’t fit {software} and may not load. Update or disable it after the change.',
    other: '{count} plugins don’t fit {software} and may not load. Update or disable them after the change.',
  },
  'software.mods-unfit': {
    one: '{count} mod doesn’t fit {software}. The server may not start until you update or disable it.',
    other: '{count} mods don’t fit {software}. The server may not start until you update or disable them.',
  },
  'software.unfit-more': { one: 'and {count} more', other: 'and {count} more' },
  'software.few-plugins': {
    one: 'Most plugins don’t run on Folia. Check the {count} you have before players join.',
    other: 'Most plugins don’t run on Folia. Check the {count} you have before players join.',
  },
  'software.no-world': '{software} is a proxy: it leads players to other servers and has no world.',
  'software.dimensions-move':
    '{software} keeps the Nether, the End and dimensions of datapacks in other folders. They are moved there, as they are.',
  'software.unstable': 'This version is a snapshot or an experiment. Things can break, the world too.',
  'software.java': 'Java {major} isn’t on the service’s computer. It will be downloaded.',
  'software.same-version': 'This version is installed. Its newest build is installed in its place.',
  'software.same-version-build':
    'This version is installed. Its newest build, {build}, is installed in its place.',
  'software.same-version-chosen': 'This version is installed. Build {build} is installed in its place.',
  'software.no-room': 'The copy needs {size}, but the service’s disk has only {free} left for it.',
  'software.to': 'Change to {software}',
  'software.to-build': 'Install build {build}',
  'software.again': 'Install build {build} again',
  'software.renew': 'Install the newest build',
  'software.begun': 'The change has begun. The console shows the progress.',
  'software.not-stopped': 'Stop the server first.',
  'software.setting-up': 'The server is being set up. Wait until that is done.',
  'software.no-scope': 'Your account lacks the permission {scope}.',
  'software.full': 'The copy doesn’t fit on the service’s disk.',
  'software.license-missing': 'Accept the license to change the software.',

  'software.back': 'Previous state',
  'software.back-change':
    'A copy from before the software was changed, {time}: {software}, with its world, settings, plugins and mods.',
  'software.back-reset': 'A copy from before the reset, {time}: its world, settings, plugins and mods.',
  'software.back-undo':
    'A copy from before you went back, {time}: {software}, with its world, settings, plugins and mods.',
  'software.back-size': 'It takes {size}.',
  'software.back-to': 'Go back to {software}',
  'software.back-before': 'Go back to before the reset',
  'software.back-question': 'Go back to the copy?',
  'software.back-question-text':
    'Everything in the server’s folder is as it was {time}. What is there now becomes the copy, so that you can return to it.',
  'software.back-done': 'The server is back as it was. What was there before is kept as the copy.',
  'software.forget': 'Delete the copy',
  'software.forget-question': 'Delete the copy?',
  'software.forget-text':
    'After that, there is no way back to {software} of {time}. The server itself stays as it is.',
  'software.forgotten': 'The copy was deleted.',
  'software.owner': 'Only the owner of the server can do this.',

  'software.reset': 'Reset server',
  'software.reset-text':
    'A fresh world is made at the next start. You choose what else stays. A copy is made first, so you can go back.',
  'software.reset-title': 'Reset {name}?',
  'software.reset-world': 'The world is deleted, with everything built in it. Choose what to keep:',
  'software.keep-config': 'Settings',
  'software.keep-config-text': 'server.properties, the icon, and the software’s own settings',
  'software.keep-extensions': 'Plugins and mods',
  'software.keep-extensions-text': 'with their settings',
  'software.keep-players': 'Player lists',
  'software.keep-players-text': 'operators, whitelist and bans',
  'software.keep-files': 'Other files',
  'software.keep-files-text': 'whatever else is in the server’s folder',
  'software.reset-do': 'Reset the server',
  'software.reset-begun': '{name} is being reset. The console shows the progress.',
} as const)
