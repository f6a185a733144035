import { expect } from 'vitest'
import type { Answer, Client, Json } from '../harness/client.ts'
import { asXmlSays, type XmlReader, type XmlReading } from './dom-tree.ts'

export interface ReadAnswer extends Answer, XmlReading {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the tests are about
  readonly tree: any
}

/** Speaks XML both ways, and reads the answers with a parser that is not ours. */
export class XmlClient {
  readonly #client: Client
  readonly #reader: XmlReader

  constructor(client: Client, reader: XmlReader) {
    this.#client = client
    this.#reader = reader
  }

  async send(method: string, path: string, xml?: string): Promise<ReadAnswer> {
    const headers = xml === undefined ? {} : { 'content-type': 'application/xml' }
    return this.#read(await this.#client.send(method, path, { headers, ...(xml === undefined ? {} : { body: xml }) }))
  }

  async get(path: string, accept?: string): Promise<ReadAnswer> {
    return this.#read(await this.#client.get(path, accept === undefined ? {} : { accept }))
  }

  /** Creates a record, and gives it as the answer and as both formats read it back. */
  async create(type: 'log' | 'farm_asset' | 'taxonomy_term', content: string): Promise<Json> {
    const answer = await this.send('POST', `/${type}`, `<${type}>${content}</${type}>`)
    expect(answer, answer.text).toMatchObject({ status: 201, root: type })
    const { uri: _uri, resource: _resource, ...record } = answer.tree
    expect(answer.headers.get('location')).toBe(record.url)
    return this.read(`/${type}/${record.id}`, record)
  }

  /** The record in JSON, once the XML of it says the same and, where given, what was expected. */
  async read(path: string, expected?: Json): Promise<Json> {
    const inJson = await this.#client.read(`${path}.json`)
    const inXml = await this.get(`${path}.xml`)
    expect(inXml.tree).toEqual(asXmlSays(inJson))
    if (expected !== undefined) expect(inXml.tree).toEqual(expected)
    return inJson
  }

  async #read(answer: Answer): Promise<ReadAnswer> {
    expect(answer.headers.get('content-type'), answer.text).toMatch(/^application\/(problem\+)?xml; charset=utf-8$/)
    const [reading] = await this.#reader.read([answer.text])
    expect(reading?.broken, answer.text).toBeUndefined()
    return { ...answer, root: reading?.root ?? '', tree: reading?.tree }
  }
}
