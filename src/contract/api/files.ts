import { area } from './operation.ts'

const { planned } = area('files')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const files = {
  list: planned({
    id: 'files.list',
    summary: 'List a folder',
    method: 'GET',
    path: '/servers/files/:serverId',
    origin: 'assumed',
  }),
  read: planned({
    id: 'files.read',
    summary: 'Read a file',
    method: 'GET',
    path: '/servers/files/content/:serverId',
    origin: 'assumed',
  }),
  write: planned({
    id: 'files.write',
    summary: 'Write a text file',
    method: 'PUT',
    path: '/servers/files/content/:serverId',
    origin: 'assumed',
  }),
  upload: planned({
    id: 'files.upload',
    summary: 'Upload',
    method: 'POST',
    path: '/servers/files/upload/:serverId',
    origin: 'assumed',
  }),
  folder: planned({
    id: 'files.folder',
    summary: 'New folder',
    method: 'POST',
    path: '/servers/files/folder/:serverId',
    origin: 'assumed',
  }),
  move: planned({
    id: 'files.move',
    summary: 'Move',
    method: 'POST',
    path: '/servers/files/move/:serverId',
    origin: 'assumed',
  }),
  copy: planned({
    id: 'files.copy',
    summary: 'Copy',
    method: 'POST',
    path: '/servers/files/copy/:serverId',
    origin: 'assumed',
  }),
  remove: planned({
    id: 'files.remove',
    summary: 'Delete into the trash',
    method: 'POST',
    path: '/servers/files/delete/:serverId',
    origin: 'assumed',
  }),
  restore: planned({
    id: 'files.restore',
    summary: 'Bring back from the trash',
    method: 'POST',
    path: '/servers/files/restore/:serverId',
    origin: 'assumed',
  }),
  limits: planned({
    id: 'files.limits',
    summary: 'Limits',
    method: 'GET',
    path: '/servers/files/limits/:serverId',
    origin: 'assumed',
  }),
  batch: planned({
    id: 'files.batch',
    summary: 'Many small files at once',
    method: 'POST',
    path: '/servers/files/batch/:serverId',
    origin: 'assumed',
  }),
  archive: planned({
    id: 'files.archive',
    summary: 'Pack into an archive',
    method: 'POST',
    path: '/servers/files/archive/:serverId',
    origin: 'assumed',
  }),
  extract: planned({
    id: 'files.extract',
    summary: 'Unpack an archive',
    method: 'POST',
    path: '/servers/files/extract/:serverId',
    origin: 'assumed',
  }),
  search: planned({
    id: 'files.search',
    summary: 'Search by name and text',
    method: 'GET',
    path: '/servers/files/search/:serverId',
    origin: 'assumed',
  }),
}
