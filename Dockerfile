# The command line and the explorer: docker build -t zermelo . && docker run zermelo solve hex start -g size=4
FROM python:3.13-slim
RUN useradd --create-home zermelo
COPY pyproject.toml README.md LICENSE /source/
COPY src /source/src
RUN pip install --no-cache-dir "/source[web]" && rm -r /source
USER zermelo
WORKDIR /home/zermelo
ENTRYPOINT ["zermelo"]
CMD ["--help"]
