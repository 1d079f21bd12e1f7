// SPDX-License-Identifier: EPL-2.0
/**
 * The bus under load: dissemination from one site to others beside a full mesh of direct copies (rows S3), proxies that
 * are killed (S3-kills), and many sites (S3-sites). The processes that experiments of mininet/sluice_lab start.
 */
package io.sluice.bench.bus;
