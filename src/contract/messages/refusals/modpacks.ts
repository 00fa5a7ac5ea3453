export const modpackRefusals = {
  'refused.modpacks.no-catalog':
    'This service is not connected to any catalog of modpacks. Ask whoever runs it to turn its catalogs on.',
  'refused.modpacks.not-found': 'Modrinth has no such modpack, or no longer offers it. Search for it again.',
  'refused.modpacks.none': 'This server has no modpack. Install one to see what players need.',
  'refused.modpacks.nothing-wanted':
    'This server is not waiting for a modpack. Look at its mods to see what is installed now, or choose a modpack to install.',
  'refused.modpacks.one-wish': 'Name either a version of a modpack or a .mrpack file.',
  'refused.modpacks.broken':
    "This modpack can't be read: {reason:part}. Nothing was changed. Download it again, or choose another version.",
  'refused.modpacks.broken.curseforge':
    "This is a CurseForge modpack, which can't be installed here. Choose a modpack from Modrinth (.mrpack) instead, or download its server files from CurseForge and move them in as a server.",
  'refused.modpacks.unsafe':
    "This modpack isn't installed because it isn't safe: {reason:part}. Nothing was changed. Choose another modpack, and tell its author.",
  'refused.modpacks.too-large':
    'This modpack is too large: {reason:part}. Nothing was changed. Choose another modpack.',
  'refused.modpacks.software':
    "This modpack needs {wanted}, which this service doesn't offer. Choose another version of the modpack.",
  'refused.modpacks.needs-internet':
    'The modpack "{name}" lists files to download from the internet, and this service doesn\'t download any. Ask whoever runs the service to turn on its catalogs, or choose a modpack that contains all of its files.',
  'refused.modpacks.file-wrong':
    '"{path}" isn\'t the file that the modpack lists: its checksum differs. Nothing was changed. Try again later, or choose another version.',
  'refused.modpacks.not-installed':
    "The modpack {name} isn't installed on this server yet. Open the server's mods and choose Try again, or delete the server.",
  'refused.modpacks.owners': 'Only the owner of this server can {what:part}. Ask the owner to do this.',
  'refused.modpacks.changed':
    'Somebody has just changed files that would be replaced or removed: {files}. Nothing was done, and those changes are kept. Try again.',
  'refused.modpacks.changed.more':
    'Somebody has just changed files that would be replaced or removed: {files} and {more} more. Nothing was done, and those changes are kept. Try again.',

  'refused.imports.not-offered': 'This service runs no servers that people bring.',
  'refused.imports.changed':
    'These files were checked again in the meantime. Look at what was found now, then create the server.',
  'refused.imports.no-jar':
    'No jar that can be run came with this server. Choose software from the list instead.',
  'refused.imports.archive': 'Send the archive itself, not a folder with it.',
  'refused.imports.bedrock':
    'This is a server or a world of the Bedrock Edition. Wheelhouse runs servers of the Java Edition, which cannot use it. Choose a Java server, or convert the world first.',
  'refused.imports.nothing-found':
    "No Minecraft server was found in these files. Choose the folder that contains server.properties or the server's jar, or an archive of it.",
  'refused.imports.too-many': 'All of your uploads are in use right now. Wait for one to finish.',
  'refused.imports.too-many.extracted':
    '{most} of your servers are already being extracted. Wait for one to finish.',
  'refused.imports.not-found':
    'What was sent for this server is no longer here: it was deleted, or a server was made of it. Begin again.',
  'refused.imports.not-ready': 'These files have to be checked first.',
  'refused.imports.busy': 'A server is being made of this right now, or it is being deleted.',
  'refused.imports.busy.checked': 'These files are already being checked. Wait until that is done.',
  'refused.imports.busy.pack':
    'A modpack is being installed from this, or a server still waits for it. It is deleted by itself afterwards.',

  'refused.part.agree-to-its-license': 'accept the license of this software',
  'refused.part.replace-its-copy': 'replace the copy',
  'refused.part.no-pack': 'it is no .mrpack file',
  'refused.part.no-pack-name': 'its name does not end in .mrpack',
  'refused.part.no-index': 'it has no {index}',
  'refused.part.damaged-list': 'its list of files is damaged',
  'refused.part.encrypted': 'it is encrypted',
  'refused.part.contains-twice': 'it contains "{path}" twice',
  'refused.part.has-twice': 'it has "{path}" twice',
  'refused.part.unreadable-file': 'a file in it cannot be read',
  'refused.part.damaged-file': '"{path}" in it is damaged',
  'refused.part.file-and-folder': 'it has a file and a folder of the same name',
  'refused.part.unknown-file': 'its index describes a file in an unknown way ({at})',
  'refused.part.no-json': 'its index is not JSON',
  'refused.part.unknown-index': 'its index is not of the form that is known ({at})',
  'refused.part.too-many-entries': 'it contains more than {most} files',
  'refused.part.too-many-files': 'it has more than {most} files',
  'refused.part.too-much-within': 'what comes within it is larger than in any other modpack',
  'refused.part.large-index': 'its index is larger than that of any other',
  'refused.part.larger-than-listed': 'a file in it is larger than its list says',
  'refused.part.larger-than-taken': 'the file is larger than {most:bytes}',
  'refused.part.too-many-bytes': 'its files need more than {most:bytes}',
  'refused.part.link': '"{path}" in it is a link',
  'refused.part.fetches': 'it fetches "{path}" from {host}',
  'refused.part.path': 'it names the path "{path}"',
  'refused.modpacks.software.loaders':
    "This modpack needs several loaders at once, which this service doesn't offer. Choose another version of the modpack.",
  'refused.part.files-over-each-other': 'files in it lie over each other',
  'refused.part.long-index': 'its index lists more than that of any other',
} as const
