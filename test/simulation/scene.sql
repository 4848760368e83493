-- The scene of a simulation: a price, extractions and documents to refer to, and how all is made as it was.
insert into tickmark.model_prices (
  model, valid_from, input_usd_per_million, cached_input_usd_per_million, cache_write_usd_per_million, output_usd_per_million, source
) values ('simulated', '2020-01-01', 0.15, 0.015, 0, 0.6, 'test');
insert into tickmark.extractions (id, name, agent_id, submitted_by)
select ('00000000-0000-4000-8000-00000000e00' || n)::uuid, 'x', 'invoice', 'user:1' from generate_series(0, 1) n;
insert into tickmark.documents (id, sha256, filename, size_bytes, storage_uri, page_count, text_chars)
values ('00000000-0000-4000-8000-00000000d000', repeat('a', 64), 'a.pdf', 1, 'test:a', 2, 900);

create function watch.reset() returns void language plpgsql set search_path = tickmark, pg_temp as $$
begin
  delete from callback_deliveries;
  delete from task_events;
  delete from task_attempts;
  delete from bulk_operation_tasks;
  delete from bulk_operations;
  delete from tasks;
  delete from workers;
  delete from claim_cursors where class > -101;
  delete from fair_flows;
  delete from audit_log;
  update settings set max_concurrent_tasks = null, max_tpm = null, strays_checked_at = '-infinity';
  update agents set max_concurrent_tasks = null, max_tpm = null, paused = false, oversize = 'run_alone', cooling_until = null,
    max_attempts = 3, lease_seconds = null, max_run_seconds = 1800, fair = false, ageing_seconds = null, draining_since = null,
    drained_at = null, lowered_concurrent_tasks = null, lowered_tpm = null, lowered_from_tasks = null, lowered_at = null,
    lowered_reason = null, adapted_at = null, retry_base_seconds = 2, retry_factor = 2, retry_cap_seconds = 300,
    in_flight_since = '1970-01-01Z', order_changed_at = null, estimate_version = null, estimate_token_error = null, estimate_seconds_error = null;
  delete from agent_estimates;
  delete from watch.breaches;
  delete from watch.replaced;
  delete from watch.late;
  delete from watch.by_hand;
end $$;
