"""Crawl a shop and write its prices as Parquet: python shop_prices.py shop.example prices.parquet.

Run it again to go on: the folder `shop-data` keeps what is known, and how long the shop is to be left alone.
"""

import sys
from pathlib import Path

import pyarrow.parquet as pq

import gossamer

seed, file = sys.argv[1], Path(sys.argv[2])
columns = ["name", "offers.price", "offers.priceCurrency", "offers.availability", "brand.name"]

for page in gossamer.crawl(seed, data="shop-data", max_pages=1000, no_archive=True):
    print(page.url, page.status or page.cause)

with gossamer.open("shop-data") as data:
    products = data.table("Product", columns=columns)

pq.write_table(products.arrow(), file)
prices = products.df().groupby("offers.priceCurrency")["offers.price"]
print(prices.describe().round(2).to_string())
