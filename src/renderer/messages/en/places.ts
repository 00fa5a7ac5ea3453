import { loaded } from '../base/loaded.ts'

export const places = loaded({
  'no-access.console.read': 'The owner hasn’t given you access to the console.',
  'no-access.players.read': 'The owner hasn’t given you access to the players.',
  'no-access.files.read': 'The owner hasn’t given you access to files.',
  'no-access.extensions.read': 'The owner hasn’t given you access to plugins and mods.',
  'no-access.config.read': 'The owner hasn’t given you access to the settings.',
  'no-access.software.write': 'The owner hasn’t let you change the software.',
  'no-access.activity.read': 'The owner hasn’t given you access to the activity log.',
  'no-access.backups.read': 'The owner hasn’t given you access to backups.',
  'no-access.schedules.read': 'The owner hasn’t given you access to the schedules.',
  'no-access.startup.read': 'Startup settings aren’t offered to you here.',
  'no-access.databases.read': 'Databases aren’t offered to you here.',
  'no-access.ports.read': 'Ports aren’t offered to you here.',
  'no-access.owner': 'Only the owner can duplicate or delete this server.',

  'absent.extensions': 'This server’s software runs no plugins or mods.',
  'absent.access': 'This server isn’t shared from here.',
  'absent.properties': 'A proxy has no game settings.',
  'absent.proxy': 'This server isn’t a Velocity proxy.',
  'absent.schedules': 'This service doesn’t offer schedules.',
  'absent.hosting': 'Only servers at some hosts have this.',
  'absent.config': 'The service doesn’t show these settings for this server.',
} as const)
