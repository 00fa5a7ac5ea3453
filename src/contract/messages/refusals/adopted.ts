/** About servers in containers that others made. */
export const adoptedRefusals = {
  'refused.adopted.owner': 'Only the owner of this service can adopt containers. Ask them.',
  'refused.adopted.not-found':
    'There is no container “{container}” with a server that could be adopted. Look at the list again.',
  'refused.adopted.taken':
    'Your server “{server}” already has the folder {folder}. Two servers must not share one: give the container another folder.',
  'refused.adopted.no-folder':
    'The folder of this server is inside its container, or can’t be written. Recreate the container with a folder of this computer at /data.',
  'refused.adopted.not-readable':
    'The service can’t read and write {folder} ({code}). Recreate the container with a folder at /data that the service can use.',
  'refused.adopted.other-user':
    '{folder} belongs to user {owner}, and the service runs as user {user}. Let the container run as user {user} (for itzg/minecraft-server: UID={user}).',
  'refused.adopted.other-disk':
    '{folder} is on another disk than the service’s data folder. Move one of them to the disk of the other.',
  'refused.adopted.own-folder':
    '{folder} contains the service’s own data, or is a part of it. Give the container a folder of its own.',
  'refused.adopted.no-port':
    'Players can’t reach this container at a fixed port of this computer. Recreate it with one, such as -p 25565:25565.',
  'refused.adopted.no-log':
    'The engine keeps no log of this container, so it would have no console. Recreate it with the log driver local.',
  'refused.adopted.not-told':
    'The container engine at {address} cannot be reached ({why}). Start it, then look again.',
  'refused.adopted.no-engine':
    'This server runs in a container, but this service has no container engine, so it isn’t known whether it is running. Start the service with --docker-image.',
  'refused.adopted.gone':
    'The container {container} no longer exists. Create it again with the same name and folder, or stop managing this server.',
  'refused.adopted.other-folder':
    'The container {container} now has another folder than this server. Create it again with the same folder, or stop managing this server.',
  'refused.adopted.no-input':
    'The container {container} takes no commands, because its input isn’t open. Recreate it with stdin_open: true (docker run -d -i).',
  'refused.adopted.decides':
    'The container {container} decides this, and others made it. Change its variables where it was made, and recreate it.',
  'refused.adopted.copy':
    'A container that others made can’t be duplicated. Make a backup of this server, and bring it back as a new server.',
  'refused.adopted.trial':
    'A container that others made can’t be started a second time. Check the backup without starting it.',

  'refused.console.following': 'The container is running, and its console is shown from here on.',
  'refused.console.ended-away': 'The container ended while the service was away.',
  'refused.console.starting-container': 'Starting the container {container}.',
} as const
