import type { Client, Json } from '../harness/client.ts'

/** Something of every kind that a record can refer to. */
export interface SampleFarm {
  readonly base: string
  /** The vocabularies' numbers by machine name. */
  readonly vids: Readonly<Record<string, string>>
  /** Two terms of each vocabulary. */
  readonly terms: Readonly<Record<string, readonly SampleTerm[]>>
  /** One asset of each type. */
  readonly assets: Readonly<Record<string, string>>
  readonly user: string
}

export interface SampleTerm {
  readonly id: string
  readonly name: string
}

export async function vidsOf(client: Client): Promise<Record<string, string>> {
  const { list } = await client.read('/taxonomy_vocabulary.json')
  return Object.fromEntries(list.map((vocabulary: Json) => [vocabulary.machine_name, vocabulary.vid]))
}

export async function sampleFarm(client: Client, base: string): Promise<SampleFarm> {
  const vids = await vidsOf(client)
  const terms: Record<string, SampleTerm[]> = {}
  for (const [vocabulary, vid] of Object.entries(vids)) {
    terms[vocabulary] = []
    for (const name of [`First of ${vocabulary}`, `Second of ${vocabulary}`]) {
      terms[vocabulary].push({ id: await client.create('taxonomy_term', { name, vocabulary: vid }), name })
    }
  }
  const { resources, user } = await client.read('/farm.json')
  const assets: Record<string, string> = {}
  for (const type of Object.keys(resources.farm_asset)) {
    assets[type] = await client.create('farm_asset', {
      name: `A ${type}`,
      type,
      ...(type === 'planting' ? { crop: [{ id: terms.farm_crops?.[0]?.id }] } : {}),
      ...(type === 'animal' ? { animal_type: { id: terms.farm_animal_types?.[0]?.id } } : {}),
    })
  }
  return { base, vids, terms, assets, user: user.uid }
}
