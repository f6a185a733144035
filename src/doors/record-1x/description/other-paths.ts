import { resourceNames } from '../../../farm/resource-names.ts'
import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { answer, answerAs, operation, type Paths, refusedOften, spellings } from '../../http/openapi/operations.ts'
import { languageOfLabels } from '../../http/openapi/query-parameter.ts'
import { responseRef, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { pageParameters } from './list-parameters.ts'
import { idParameter, listSchema } from './record-paths.ts'

/** A collection that is short enough to be at hand as a whole. */
interface ShortList {
  readonly path: string
  /** The name of its schema, and of one of them in an operation's id. */
  readonly one: string
  readonly many: string
  /** Completes the sentence "List …". */
  readonly listed: string
  readonly filters: readonly string[]
}

const all: readonly ShortList[] = [
  {
    path: `/${resourceNames.vocabulary}`,
    one: 'Vocabulary',
    many: 'Vocabularies',
    listed: 'the vocabularies and their numbers',
    filters: ['vid', 'id', 'name', 'machine_name', 'description'],
  },
  { path: '/user', one: 'User', many: 'Users', listed: 'who can be named', filters: ['uid', 'id', 'name'] },
]

const filter = (name: string): Schema => ({
  name,
  in: 'query',
  style: 'form',
  explode: true,
  schema: { type: 'array', items: { type: 'string' } },
})

/** Info record, vocabularies, users, files and the map. */
export function otherPaths(): Paths {
  return { ...infoPaths(), ...Object.assign({}, ...all.map(shortListPaths)), ...filePaths(), ...mapPaths() }
}

const infoPaths = (): Paths =>
  Object.fromEntries(
    spellings.map(({ extension, formats, word }) => [
      `/farm${extension}`,
      {
        get: operation({
          id: `readFarm${word}`,
          summary: 'What the farm is and what can be recorded on it',
          tag: 'farm',
          parameters: [ifNoneMatch, languageOfLabels],
          responses: {
            '200': answer('The info record', formats, schemaRef('Info')),
            '304': unchanged,
            ...refusedOften,
          },
        }),
      },
    ]),
  )

function shortListPaths(shortList: ShortList): Paths {
  const paths: Paths = {}
  for (const spelling of spellings) {
    const { extension, formats, word } = spelling
    paths[shortList.path + extension] = {
      get: operation({
        id: `list${shortList.many}${word}`,
        summary: `List ${shortList.listed}`,
        tag: 'farm',
        parameters: [...pageParameters(spelling), ...shortList.filters.map(filter), ifNoneMatch],
        responses: {
          '200': answer('A page of them', formats, listSchema(schemaRef(shortList.one), spelling)),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    }
    paths[`${shortList.path}/{id}${extension}`] = {
      parameters: [idParameter],
      get: operation({
        id: `read${shortList.one}${word}`,
        summary: `Read one ${shortList.one.toLowerCase()}`,
        tag: 'farm',
        parameters: [ifNoneMatch],
        responses: {
          '200': answer('It', formats, schemaRef(shortList.one)),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    }
  }
  return paths
}

function filePaths(): Paths {
  const info = spellings.map(({ extension, formats, word }) => [
    `/file/{id}${extension}`,
    {
      parameters: [idParameter],
      get: operation({
        id: `readFileInfo${word}`,
        summary: 'What a file is called and how large it is',
        tag: 'files',
        parameters: [ifNoneMatch],
        responses: {
          '200': answer('About the file', formats, schemaRef('FileInfo')),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    },
  ])
  const name: Schema = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
  const download = operation({
    id: 'downloadFile',
    summary: 'Download a file',
    tag: 'files',
    parameters: [ifNoneMatch],
    responses: {
      '200': answerAs('Its bytes; known harmless types under their own name', '*/*', {}),
      '304': unchanged,
      '404': responseRef('NotFound'),
      ...refusedOften,
    },
  })
  return { ...Object.fromEntries(info), '/file/{id}/{name}': { parameters: [idParameter, name], get: download } }
}

function mapPaths(): Paths {
  const map = (id: string, summary: string) =>
    operation({
      id,
      summary,
      tag: 'farm',
      parameters: [ifNoneMatch],
      responses: {
        '200': answerAs('GeoJSON (RFC 7946), in this format only', 'application/geo+json', schemaRef('AreaCollection')),
        '304': unchanged,
        ...refusedOften,
      },
    })
  const areaType: Schema = {
    name: 'areaType',
    in: 'path',
    required: true,
    description: 'An area type, or all',
    schema: { type: 'string' },
  }
  return {
    '/farm/areas/geojson': { get: map('mapAreas', 'The areas that can be drawn on a map') },
    '/farm/areas/geojson/{areaType}': {
      parameters: [areaType],
      get: map('mapAreasOfType', 'The areas of one type that can be drawn on a map'),
    },
  }
}
