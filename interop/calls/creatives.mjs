// Formats and creatives: see index.mjs.
import { BRAND } from './world.mjs'

export function creativeCalls(
  add,
  {
    key,
    format,
    BANNER,
    CAPABILITY,
    GENERATED,
    SLOT,
    banner,
    creative,
    account,
    hook,
    isSandbox,
    isNewest,
    tag,
  },
) {
  add('list_creative_formats', {})
  add(
    'list_creative_formats',
    { pagination: { max_results: 2 } },
    { saves: (b, s) => (s.cursor = b.pagination?.cursor) },
  )
  add('list_creative_formats', (s) => ({ pagination: { max_results: 2, cursor: s.cursor } }))
  add('list_creative_formats', { name_search: 'there is none such' })
  add('list_creative_formats', { format_ids: [format(BANNER), format('unknown')] })
  add('list_creative_formats', { format_ids: 'x' })
  add('list_creative_formats', {
    include_pricing: true,
    asset_types: ['image', 'video'],
    max_width: 970,
  })
  add(
    'build_creative',
    {
      ...key(),
      message: 'A summer sale of outdoor gear at https://acmeoutdoor.example/sale.',
      target_format_id: format(BANNER),
      brand: BRAND,
    },
    { saves: (b, s) => (s.manifest = b.creative_manifest) },
  )
  add('build_creative', {
    ...key(),
    message: 'A summer sale at https://acmeoutdoor.example/sale.',
    target_format_ids: [
      format(BANNER),
      format(isSandbox ? 'display_728x90' : 'display_728x90_image'),
    ],
    include_preview: true,
  })
  add('build_creative', {
    ...key(),
    message: 'A summer sale at https://acmeoutdoor.example/sale.',
    target_format_id: format(BANNER),
    include_preview: true,
    preview_output_format: 'html',
  })
  add('build_creative', { ...key(), message: 'x', target_format_id: format('unknown') })
  add('build_creative', { ...key() })
  add('build_creative', {
    ...key(),
    creative_manifest: banner,
    target_format_id: format(BANNER),
    quality: 'draft',
  })
  add(
    'build_creative',
    {
      ...key(),
      message: 'Slow.',
      target_format_id: format(BANNER),
      push_notification_config: { url: hook, operation_id: `build-${tag}` },
    },
    { saves: (b, s) => (s.task_id = b.task_id) },
  )
  add(
    'preview_creative',
    { request_type: 'single', format_id: format(BANNER), creative_manifest: banner },
    { saves: (b, s) => (s.preview = b.previews?.[0]?.preview_id) },
  )
  add('preview_creative', {
    request_type: 'single',
    creative_manifest: banner,
    output_format: 'html',
    inputs: [
      { name: 'Phone', macros: { DEVICE_TYPE: 'mobile' } },
      { name: 'Desk', context_description: 'at work' },
    ],
  })
  add('preview_creative', {
    request_type: 'single',
    creative_manifest: banner,
    output_format: 'both',
  })
  add('preview_creative', {
    request_type: 'batch',
    requests: [
      { creative_manifest: banner },
      { creative_manifest: { ...banner, format_id: format('unknown') } },
    ],
  })
  add('preview_creative', {
    request_type: 'batch',
    output_format: 'html',
    requests: [{ creative_manifest: banner }],
  })
  add('preview_creative', { request_type: 'batch', requests: [] })
  add('preview_creative', { request_type: 'variant', variant_id: 'none' })
  add('preview_creative', {
    request_type: 'single',
    creative_manifest: { ...banner, format_id: format('unknown') },
  })
  add('preview_creative', { request_type: 'single' })
  add('validate_input', {
    manifest: banner,
    targets: [{ kind: 'third_party_format', id: format(BANNER) }],
  })
  add('validate_input', {
    manifest: { ...banner, assets: {} },
    format_ids: [format(BANNER), format('unknown')],
  })
  add('validate_input', {})
  const canonical = {
    format_kind: 'image',
    assets: {
      image_main: banner.assets[SLOT],
      landing_page_url: banner.assets.click_url,
    },
  }
  if (isNewest) {
    add('build_creative', {
      ...key(),
      message: 'A summer sale at https://acmeoutdoor.example/sale.',
      target_capability_id: CAPABILITY,
      brand: BRAND,
    })
    add('build_creative', {
      ...key(),
      message: 'A summer sale at https://acmeoutdoor.example/sale.',
      target_capability_ids: [CAPABILITY, GENERATED],
      include_preview: true,
    })
    add('build_creative', {
      ...key(),
      message: 'A summer sale at https://acmeoutdoor.example/sale.',
      target_capability_id: 'none',
    })
    add('preview_creative', {
      request_type: 'single',
      target_capability_id: CAPABILITY,
      creative_manifest: canonical,
      quality: 'draft',
    })
    add('preview_creative', {
      request_type: 'batch',
      target_capability_id: CAPABILITY,
      quality: 'draft',
      requests: [{ creative_manifest: canonical, creative_id: 'mine' }],
    })
    add('validate_input', {
      manifest: canonical,
      targets: [
        { kind: 'capability', id: CAPABILITY },
        { kind: 'canonical', id: 'image' },
      ],
    })
    add('validate_input', {
      manifest: { ...canonical, assets: {} },
      targets: [{ kind: 'capability', id: CAPABILITY }],
    })
    add('sync_creatives', {
      ...key(),
      ...account,
      creatives: [{ creative_id: `canonical-${tag}`, name: 'canonical', ...canonical }],
    })
  }
  add('sync_creatives', {
    ...key(),
    ...account,
    creatives: [creative('one'), creative('two'), creative('three')],
  })
  add('sync_creatives', {
    ...key(),
    ...account,
    creatives: [creative('one', { name: 'Changed' }), creative('two')],
  })
  add('sync_creatives', {
    ...key(),
    ...account,
    creatives: [creative('bad', { assets: {} }), creative('good')],
  })
  add('sync_creatives', { ...key(), ...account, dry_run: true, creatives: [creative('dry')] })
  add('sync_creatives', {
    ...key(),
    ...account,
    validation_mode: 'lenient',
    creatives: [creative('lenient', { format_id: format('unknown') })],
  })
  add('sync_creatives', { ...key(), ...account, creatives: [] })
  add('sync_creatives', {
    ...key(),
    account: { account_id: 'acc_of_nobody' },
    creatives: [creative('one')],
  })
  add('list_creatives', { ...account })
  add(
    'list_creatives',
    { ...account, pagination: { max_results: 1 } },
    { saves: (b, s) => (s.cursor = b.pagination?.cursor) },
  )
  add('list_creatives', (s) => ({ ...account, pagination: { max_results: 1, cursor: s.cursor } }))
  add('list_creatives', {
    ...account,
    include_assignments: true,
    include_snapshot: true,
    include_items: true,
    include_variables: true,
  })
  add('list_creatives', { ...account, fields: ['creative_id', 'name', 'status'] })
  add('list_creatives', {
    ...account,
    filters: { statuses: ['archived'] },
    sort: { field: 'name', direction: 'asc' },
  })
  add('list_creatives', { ...account, filters: { creative_ids: ['none'] } })
  add('list_creatives', { ...account, filters: { statuses: ['odd'] } })
}
