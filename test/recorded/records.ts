import { get, type Request, send } from './request.ts'

const upTo = (last: number, leaveOut: readonly number[] = []): number[] =>
  Array.from({ length: last }, (_, place) => place + 1).filter((id) => !leaveOut.includes(id))

const every = (type: string, ids: readonly number[], ending: string): Request[] =>
  ids.map((id) => get(`/${type}/${id}.${ending}`))

const removedLogs = [18, 19]

/** One of each type at least, in both formats, and what is not a record of the farm. */
export const records: readonly Request[] = [
  ...every('log', upTo(24, removedLogs), 'json'),
  ...every('log', [1, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 21], 'xml'),
  ...every('farm_asset', upTo(13), 'json'),
  ...every('farm_asset', [1, 3, 6, 8, 10, 11], 'xml'),
  ...every('taxonomy_term', [1, 9, 10, 11, 12, 13, 14, 16, 19, 20, 21, 22, 23, 24, 25, 26, 28], 'json'),
  ...every('taxonomy_term', [1, 9, 13, 16, 19, 21, 23, 24, 25, 26], 'xml'),
  get('/log/1.json?files=link'),
  get('/log/1', { headers: { accept: 'application/xml' } }),
  get('/log/7/', { as: 'cora' }),
  send('HEAD', '/log/7.json'),
  send('HEAD', '/log.json?limit=1'),
  get('/farm_asset/1.json?with=members'),
  get('/farm_asset/2.json?with=members,group'),
  get('/farm_asset/3.json?with=group,inventory&files=link'),
  get('/farm_asset/6.json?with=inventory'),
  get('/farm_asset/6.xml?with=inventory,group'),
  get('/farm_asset/12.json?with=inventory'),
  get('/farm.json'),
  get('/farm.xml'),
  get('/farm.json', { as: 'dora' }),
  get('/farm.json', { as: 'info' }),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((vid) => get(`/taxonomy_vocabulary/${vid}.json`)),
  get('/taxonomy_vocabulary/4.xml'),
  get('/user/1.json'),
  get('/user/2.json'),
  get('/user/2.json', { as: 'ben' }),
  get('/user/1.xml'),
  get('/file/5.json'),
  get('/file/8.json'),
  get('/file/8.xml'),
  get('/file/8/another-name'),
  get('/farm/areas/geojson'),
  get('/farm/areas/geojson/all'),
  get('/farm/areas/geojson/water', { as: 'cora' }),
  get('/farm/areas/geojson/nonsense'),
]
