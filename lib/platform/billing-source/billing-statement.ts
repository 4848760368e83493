/**
 * Use of the runs asked for, by run and list price, from `system.billing`
 * [https://docs.databricks.com/aws/en/admin/system-tables/billing, …/pricing]. All record types are summed: a RETRACTION is a
 * negative copy, and a RESTATEMENT may follow it. Amounts stay texts and are multiplied here: the product of two decimals
 * of 38 digits keeps six digits after the point in the warehouse. A list price holds from its start up to its end, and
 * there is one for each currency. What has no price comes with none instead of being left out. Arrays can't be bound, so
 * the ids come as JSON.
 */
export const BILLING_STATEMENT = `
WITH wanted AS (
  SELECT explode(from_json(:run_ids, 'array<string>')) AS run_id
),
used AS (
  SELECT u.usage_metadata.job_run_id AS run_id, u.sku_name, u.cloud, u.usage_unit, u.usage_end_time, u.usage_quantity
  FROM system.billing.usage u
  WHERE u.usage_date >= :from_date
    AND u.workspace_id = :workspace_id
    AND u.usage_metadata.job_run_id IN (SELECT run_id FROM wanted)
)
SELECT
  used.run_id,
  CAST(price.pricing.effective_list.default AS STRING) AS unit_price,
  CAST(SUM(used.usage_quantity) AS STRING) AS quantity,
  date_format(MAX(used.usage_end_time), "yyyy-MM-dd'T'HH:mm:ss'Z'") AS billed_through
FROM used
LEFT JOIN system.billing.list_prices price
  ON price.sku_name = used.sku_name
  AND price.cloud = used.cloud
  AND price.usage_unit = used.usage_unit
  AND price.currency_code = 'USD'
  AND used.usage_end_time >= price.price_start_time
  AND (price.price_end_time IS NULL OR used.usage_end_time < price.price_end_time)
GROUP BY used.run_id, price.pricing.effective_list.default
`;
